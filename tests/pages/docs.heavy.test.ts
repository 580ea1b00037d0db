import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { KEY } from "@/lib/http/example-values";
import { createKey } from "@/lib/keys/create";
import { ask, origin } from "@/tests/support/http";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { launchBrowser, newPerson } from "./person";
import { newVisitor, type Visitor } from "./visitor";

let visitor: Visitor;
openForEach(newVisitor, (opened) => {
  visitor = opened;
});

const index = (page: Page) => page.getByRole("navigation", { name: "Documentation" });
const search = (page: Page) => page.getByRole("searchbox", { name: "Search the documentation" });

/** Waits until the page's script answers the keyboard. */
async function openReference(page: Page) {
  await page.goto("/docs");
  await expect
    .poll(async () => {
      await page.keyboard.press("/");
      return page.evaluate(() => document.activeElement?.getAttribute("type"));
    })
    .toBe("search");
}

test("every link of the index and of the errors leads to something", async () => {
  const { page } = visitor;
  await page.goto("/docs");
  const links = await page.locator("main a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""));
  const inside = links.flatMap((href) => /^(?:\/docs)?#(.+)$/.exec(href)?.[1] ?? []);
  expect(inside.length).toBeGreaterThan(40);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
  expect(inside.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([]);
  for (const path of new Set(links.filter((href) => /^\/docs\/guides\//.test(href))))
    expect((await page.request.get(path)).status(), path).toBe(200);
});

test("the index marks the section that is read", async () => {
  const { page } = visitor;
  await page.goto("/docs#keys-mine");
  const marked = index(page).locator('[aria-current="location"]');
  await expect.poll(() => marked.allTextContents()).toEqual(["/keys/mine"]);
  await page.locator("#me").evaluate((route) => route.scrollIntoView());
  await expect.poll(() => marked.allTextContents()).toEqual(["/me"]);
  await page.goto("/docs/guides/keys");
  expect(await index(page).locator('[aria-current="page"]').allTextContents()).toEqual(["Sell access with keys"]);
});

describe("the search", () => {
  test("finds routes, parameters, error codes and guides; arrows and Enter go there", async () => {
    const { page } = visitor;
    await openReference(page);
    await search(page).fill("holder_limit");
    await index(page).getByText("1 found").waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#error-holder_limit");

    await search(page).fill("price");
    await index(page).getByRole("link", { name: "price Parameter of /keys/create" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).hash).toBe("#keys-create-price");

    await search(page).fill("refund");
    await index(page).getByRole("link", { name: "Sell access with keys Guide" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Sell access with keys" }).waitFor();
    visitor.expectCalm();
  });

  test("finds what only the text of a guide says, with words that are loaded at the first focus", async () => {
    const { page } = visitor;
    const isOfWords = async (url: string) =>
      url.endsWith(".js") && (await (await page.request.get(url)).text()).includes("haproxy");
    const loaded: string[] = [];
    page.on("requestfinished", (request) => loaded.push(request.url()));
    await page.goto("/docs");
    await page.waitForLoadState("networkidle");
    for (const url of loaded.splice(0)) expect(await isOfWords(url)).toBe(false);
    await openReference(page);
    await search(page).fill("keychain mistyped");
    await index(page).getByText("Nothing found. Try another word.").waitFor();
    await search(page).fill("nginx haproxy caddy");
    await index(page).getByRole("link", { name: "Run it in production Guide" }).waitFor();
    await search(page).fill("mistyped");
    await index(page).getByRole("link", { name: "Sell access with keys Guide" }).waitFor();
    const sizes: number[] = [];
    for (const url of loaded.filter((one) => one.endsWith(".js")))
      if (await isOfWords(url)) {
        const { headers } = await ask(new URL(url).pathname, { headers: { "Accept-Encoding": "gzip" } });
        sizes.push(Number(headers["content-length"]));
      }
    expect(sizes).toHaveLength(1);
    expect(sizes[0]).toBeLessThan(6_000);
    visitor.expectCalm();
  });

  test("says that nothing was found, and Escape shows the index again", async () => {
    const { page } = visitor;
    await openReference(page);
    await page.keyboard.type("no such thing");
    await index(page).getByText("Nothing found. Try another word.").waitFor();
    await page.keyboard.press("Escape");
    await index(page).getByText("Guides", { exact: true }).waitFor();
  });
});

test("a language that is chosen counts for all samples, and is kept", async () => {
  const { page } = visitor;
  await openReference(page);
  const create = page.locator("#keys-create");
  const mine = page.locator("#keys-mine");
  await create.getByRole("tab", { name: "curl" }).click();
  await page.keyboard.press("ArrowLeft");
  await mine.getByText("import json").waitFor();
  expect(await create.getByText("curl -H").isVisible()).toBe(false);
  expect(await mine.getByRole("tab", { selected: true }).textContent()).toBe("Python");
  await create.getByRole("button", { name: "Copy" }).click();
  await create.getByText("Copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("from urllib.request");

  await page.goto("/docs/guides/command-line");
  await page.getByText(`link.py && python3 link.py ${origin}`).waitFor();
  expect(await page.getByText("bash link.sh").isVisible()).toBe(false);
  await page.goto("/docs/guides/backup");
  await page.getByText("backup.py && TOKEN=lk_… python3 backup.py").waitFor();
  await page.getByText("copyfileobj(answer, copy)").waitFor();
  await expect.poll(() => page.getByRole("tab", { selected: true }).allTextContents()).toEqual(["Python"]);
  visitor.expectCalm();
});

test("without a script everything can be read", async () => {
  const browser = await launchBrowser();
  const page = await browser.newPage({ baseURL: origin, javaScriptEnabled: false });
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto("/docs");
  const create = page.locator("#keys-create");
  for (const part of ["curl -H", "console.log(body)", "print(json.load(answer))"])
    expect(await create.getByText(part).isVisible(), part).toBe(true);
  expect(await index(page).getByRole("link", { name: "/keys/create" }).isVisible()).toBe(true);
  expect(await page.getByRole("button", { name: "Contents" }).isVisible()).toBe(false);
  expect(await search(page).isVisible()).toBe(false);
  await page.goto("/docs/guides/command-line");
  for (const part of ["bash link.sh", "node link-node.mjs", "python3 link.py"])
    expect(await page.locator("code").getByText(part).first().isVisible(), part).toBe(true);
  await browser.close();
});

test("the guide about keys reads the key and the two tokens from variables, and names no key itself", async () => {
  const { page } = visitor;
  await page.goto("/docs/guides/keys");
  const main = await page.locator("main").textContent();
  for (const part of [
    '"Authorization: Bearer $SELLER_TOKEN"',
    '"Authorization: Bearer $BUYER_TOKEN"',
    "/keys/get/$KEY",
  ])
    expect(main).toContain(part);
  expect(main).not.toContain(KEY);
  await expectGoodLooks(page);
});

test("on a phone a button opens the index, and a link of it closes it", async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 375, height: 740 });
  await openReference(page);
  await expectGoodLooks(page);
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto("/docs");
  expect(await index(page).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Contents" }).click();
  await index(page).getByRole("link", { name: "/keys/create", exact: true }).click();
  await expect.poll(() => index(page).isVisible()).toBe(false);
  expect(new URL(page.url()).hash).toBe("#keys-create");
});

test("samples that read have the reader's own key, those that change something do not", async () => {
  const person = await newPerson(await launchBrowser());
  const { id } = await createKey(person, { data: "not on the page", price: "1", name: "Full version" });
  await person.page.goto("/docs");
  await person.page.getByText("Full version").waitFor();
  expect(await person.page.locator("#keys-get").textContent()).toContain(`/keys/get/${id}`);
  expect(await person.page.locator("#keys-check").textContent()).toContain(`/keys/check/${person.username}?key=${id}`);
  expect(await person.page.locator("#keys-delete").textContent()).not.toContain(id);
  expect(await person.page.content()).not.toContain("not on the page");
  await person.context.browser()?.close();
});
