import { expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { newKey } from "./keys-page";
import { press, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

const DESKTOP = { width: 1280, height: 720 };
const PHONE = { width: 375, height: 740 };

const visitor = await newVisitor();
const { page } = visitor;

const index = () => page.getByRole("navigation", { name: "Documentation" });
const shownHash = () => new URL(page.url()).hash;

test("every link leads to something, and the index marks what is read; a button opens it on a phone", async () => {
  await openReady(page, "/docs#keys-mine");
  const marked = index().locator('[aria-current="location"]');
  await expect.poll(() => marked.allTextContents()).toEqual(["/keys/mine"]);
  await page.locator("#me").evaluate((route) => route.scrollIntoView());
  await expect.poll(() => marked.allTextContents()).toEqual(["/me"]);

  const links = await page.locator("main a[href]").evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? ""));
  const inside = links.flatMap((href) => /^(?:\/docs)?#(.+)$/.exec(href)?.[1] ?? []);
  expect(inside.length).toBeGreaterThan(40);
  const ids = await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id));
  expect(inside.filter((id) => !ids.includes(id))).toEqual([]);
  expect(ids.filter((id, position) => ids.indexOf(id) !== position)).toEqual([]);
  for (const path of new Set(links.filter((href) => /^\/docs\/guides\//.test(href))))
    expect((await page.request.get(path)).status(), path).toBe(200);

  await page.setViewportSize(PHONE);
  await index().waitFor({ state: "hidden" });
  await press(page, "Contents");
  await index().getByRole("link", { name: "/keys/create", exact: true }).click();
  await expect.poll(() => index().isVisible()).toBe(false);
  expect(shownHash()).toBe("#keys-create");
  await page.setViewportSize(DESKTOP);
  await index().getByRole("link", { name: "Sell access with keys", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Sell access with keys" }).waitFor();
  expect(await index().locator('[aria-current="page"]').allTextContents()).toEqual(["Sell access with keys"]);
});

test("a chosen language counts for all samples, and is kept", async () => {
  await openReady(page, "/docs");
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
  await told(page, `link.py && python3 link.py ${origin}`);
  expect(await page.getByText("bash link.sh").isVisible()).toBe(false);
  visitor.expectCalm();
});

test("samples that read have the reader's own key; those that change something and the guide have none", async () => {
  const person = await newSignedIn(visitor);
  const { username } = person;
  const id = await newKey(person, { data: "not on the page", name: "Full version" });
  /** What elements of a page say, as it is sent. */
  const read = async (path: string, ...selectors: string[]) => {
    const html = await (await page.request.get(path)).text();
    const texts = await page.evaluate(
      ([text, all]) => {
        const sent = new DOMParser().parseFromString(text, "text/html");
        return all.map((selector) => sent.querySelector(selector)?.textContent ?? "");
      },
      [html, selectors] as const,
    );
    return [html, ...texts] as const;
  };
  const [html, get, check, remove] = await read("/docs", "#keys-get", "#keys-check", "#keys-delete");
  expect(html).toContain("Full version");
  expect(html).not.toContain("not on the page");
  expect(get).toContain(`/keys/get/${id}`);
  expect(check).toContain(`/keys/check/${username}?key=${id}`);
  expect(remove).toContain("/keys/delete/");
  expect(remove).not.toContain(id);

  const [guide] = await read("/docs/guides/keys");
  expect(guide).not.toContain(id);
});

test("an old address of the reference leads to its route", async () => {
  await page.goto("/docs/try#/Keys/keysCreate");
  await expect.poll(shownHash).toBe("#keys-create");
  visitor.expectCalm();
});
