import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { makeKeys } from "@/tests/keys/make-keys";
import { ask } from "@/tests/support/http";
import { makeUser, makeUsers, newUsername } from "@/tests/support/user";
import { openForEach } from "./open-for-each";
import { newPerson, type Person } from "./person";
import { openReady } from "./visitor";

let person: Person;
let page: Page;
openForEach(newPerson, (opened) => {
  person = opened;
  page = opened.page;
});

describe("the list", () => {
  test("that is empty says what to do next", async () => {
    await page.getByRole("heading", { name: "You haven't created any keys yet" }).waitFor();
    await page.getByRole("button", { name: "Create your first key" }).click();
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "From others" }).click();
    await page.getByText(`Your username is ${person.username}`).waitFor();
    person.expectCalm();
  });

  test("of 10,000 keys comes in pages, and is searched", async () => {
    await makeKeys(person, person, 9_999);
    const needle = await createKey(person, { data: "x", price: "7", name: "A needle" });
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.request().resourceType() === "document"),
      page.goto("/keys"),
    ]);
    expect((await answer.body()).length).toBeLessThan(200_000);
    await page.getByText("1–25 of 10,000").waitFor();
    expect(await page.getByRole("row").count()).toBe(26);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("26–50 of 10,000").waitFor();
    await page.goto("/keys?page=401");
    await page.getByText("9,976–10,000 of 10,000").waitFor();
    expect(await page.getByRole("link", { name: "Next" }).count()).toBe(0);

    await page.goto("/keys");
    const field = page.getByRole("searchbox");
    await field.pressSequentially("NEEDLE");
    await page.getByText("1 match", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("search")).toBe("NEEDLE");
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByRole("link", { name: "A needle" }).click();
    await page.waitForURL((url) => url.searchParams.get("key") === needle.id);
    await page.goBack();
    await expect.poll(() => field.inputValue()).toBe("NEEDLE");
    await field.fill("hay%");
    await page.getByText("No matches for “hay%”").waitFor();
    await page.getByRole("link", { name: "Clear search" }).click();
    await page.getByText("1–25 of 10,000").waitFor();
    person.expectCalm();
  });

  test("is sorted by its heads, as its address says", async () => {
    for (const [name, price] of [
      ["Bread", "2.5"],
      ["apple", "10"],
      ["Cider", "-1"],
    ])
      await createKey(person, { data: "x", price: String(price), name });
    const names = async () => await page.getByRole("cell").getByRole("link").allInnerTexts();
    await openReady(page, "/keys");
    const head = (name: string) => page.getByRole("columnheader", { name });
    expect(await head("Created").getAttribute("aria-sort")).toBe("descending");
    await head("Key").getByRole("link").click();
    await page.locator("th[aria-sort=ascending]").filter({ hasText: "Key" }).waitFor();
    expect(
      await head("Key")
        .getByRole("link")
        .evaluate((link) => link === document.activeElement),
    ).toBe(true);
    expect(await names()).toEqual(["apple", "Bread", "Cider"]);
    await page.keyboard.press("Enter");
    await page.locator("th[aria-sort=descending]").filter({ hasText: "Key" }).waitFor();
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-name");
    await page.goto("/keys?sort=price");
    expect(await names()).toEqual(["Cider", "Bread", "apple"]);
    const points = await page.getByText(/^(2\.5|10)$/).evaluateAll((prices) =>
      prices.map((price) => {
        const range = document.createRange();
        range.setStart(price.firstChild as Node, 0);
        range.setEnd(price.firstChild as Node, (price.textContent ?? "").split(".")[0]?.length ?? 0);
        return Math.round(range.getBoundingClientRect().right);
      }),
    );
    expect(points[0]).toBe(points[1]);
    person.expectCalm();
  });

  test("that has something opens first, and is downloaded for spreadsheets", async () => {
    const other = { ...(await makeUser()), role: "user" };
    const key = await createKey(other, { data: "theirs", price: "3", name: "=Given" });
    await addHolder(other, await findKey(other, key.id), person.username);
    await page.goto("/keys");
    await page.getByRole("row").getByRole("link", { name: "=Given" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download as CSV" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("keys-from-others.csv");
    const { headers } = await page
      .context()
      .request.get("/keys.csv?list=given")
      .then((answer) => ({
        headers: answer.headers(),
      }));
    expect(headers).toMatchObject({ "content-type": "text/csv; charset=utf-8", "cache-control": "no-store" });
    const text = await (await page.context().request.get("/keys.csv?list=given&search=given")).text();
    expect(text).toContain(`${key.id},'=Given,3,${other.username},,`);
    expect(text).not.toContain("theirs");
    const elsewhere = { headers: { "Sec-Fetch-Site": "cross-site" } };
    expect((await page.context().request.get("/keys.csv", elsewhere)).status()).toBe(403);
    expect((await ask("/keys.csv")).status).toBe(302);
    person.expectCalm();
  });

  test("lets several keys of others be left at once", async () => {
    const other = { ...(await makeUser()), role: "user" };
    const keys = [];
    for (const name of ["Arcade", "Newsletter", "Workshop"]) {
      const key = await createKey(other, { data: "theirs", price: "3", name });
      await addHolder(other, await findKey(other, key.id), person.username);
      keys.push(key);
    }
    await createKey(person, { data: "own", price: "0", name: "My own" });

    await openReady(page, "/keys?list=given");
    expect(await page.getByText("My own").count()).toBe(0);
    await page.getByLabel("Select Arcade").check();
    await page.getByLabel("Select Workshop").check();
    await page.getByRole("button", { name: "Leave 2 keys" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave these 2 keys?" });
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
      `Workshop from ${other.username}`,
      `Arcade from ${other.username}`,
    ]);
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.getByText("You left 2 keys.").waitFor();
    const held = [];
    for (const { id } of keys)
      held.push((await ask(`/keys/check/${person.username}`, { query: { key: id } })).body?.owned);
    expect(held).toEqual([false, true, false]);

    await page.getByLabel("Select all on this page").check();
    await page.getByRole("button", { name: "Leave 1 key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByText("You left 1 key.").waitFor();
    await page.getByRole("heading", { name: "No keys from others yet" }).waitFor();
    const { list } = await ask("/keys/mine", { query: { auth: person.token } });
    expect(list.map(({ name }) => name)).toEqual(["My own"]);
    person.expectCalm();
  });

  test("adds a user to several keys and revokes them, and says what became of each", async () => {
    const friend = await makeUser();
    const create = (name: string) => createKey(person, { data: "x", price: "3", name });
    const [arcade, newsletter, workshop] = [
      await create("Arcade"),
      await create("Newsletter"),
      await create("Workshop"),
    ];
    const keys = [arcade, newsletter, workshop];
    await addHolder(person, await findKey(person, workshop.id), friend.username);
    const held = () =>
      Promise.all(
        keys.map(async ({ id }) => (await ask(`/keys/check/${friend.username}`, { query: { key: id } })).body?.owned),
      );
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const row = (name: string) => page.getByRole("row").filter({ hasText: name });

    await openReady(page, "/keys");
    await page.getByLabel("Select Arcade").check();
    await page.getByLabel("Select Workshop").check();
    await page.getByText("2 selected").waitFor();
    await button("Add a user").click();
    const adding = page.getByRole("dialog", { name: "Add a user to 2 keys" });
    await adding.getByLabel("Username").fill(newUsername());
    await button("Add to 2 keys").click();
    await adding.getByText("There is no user with this name.").waitFor();
    expect(await adding.getByLabel("Username").getAttribute("aria-invalid")).toBe("true");
    await adding.getByLabel("Username").fill(friend.username.toUpperCase());
    await button("Add to 2 keys").click();
    await adding.getByText(`${friend.username} was added to 1 of 2 keys.`).waitFor();
    expect(await adding.getByRole("listitem").allInnerTexts()).toEqual([
      `Workshop ${workshop.id.slice(0, 8)}\nAlready held it`,
      `Arcade ${arcade.id.slice(0, 8)}\nAdded`,
    ]);
    await expect.poll(() => button("Done").evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Enter");
    await adding.waitFor({ state: "hidden" });
    await page.getByText("2 selected").waitFor({ state: "detached" });
    expect(await held()).toEqual([true, false, true]);
    await row("Arcade").getByRole("cell", { name: "2", exact: true }).waitFor();

    await page.getByLabel("Select all on this page").check();
    await button("Revoke a user").click();
    const revoking = page.getByRole("dialog", { name: "Revoke a user from 3 keys" });
    expect(await revoking.getByLabel("Username").inputValue()).toBe("");
    await revoking.getByLabel("Username").fill(friend.username);
    await button("Revoke from 3 keys").click();
    await revoking.getByText(`${friend.username} lost access to 2 of 3 keys.`).waitFor();
    await button("Done").click();
    await revoking.waitFor({ state: "hidden" });
    expect(await held()).toEqual([false, false, false]);
    await row("Arcade").getByRole("cell", { name: "1", exact: true }).waitFor();
    person.expectCalm();
  });

  test("of a key's many holders comes in pages, and is searched", async () => {
    const key = await createKey(person, { data: "x", price: "0", name: "Crowded" });
    const row = await findKey(person, key.id);
    const holders = await makeUsers(30);
    for (const { username } of holders) await addHolder(person, row, username);
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("1–25 of 31").waitFor();
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText(`${person.username} created the key`).waitFor();
    await page.getByRole("link", { name: "Newest" }).click();
    const last = holders.at(-1)?.username ?? "";
    await page.getByRole("searchbox").fill(last);
    await page.keyboard.press("Enter");
    await page.waitForURL(/holder=/);
    await page.getByRole("button", { name: `Revoke ${last}` }).click();
    await page.getByText(`${last} no longer holds the key.`).waitFor();
    expect((await ask(`/keys/check/${last}`, { query: { key: key.id } })).body?.owned).toBe(false);
    person.expectCalm();
  });
});
