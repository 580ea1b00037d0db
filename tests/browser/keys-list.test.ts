import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findFor } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { makeKeys } from "../keys/make-keys";
import { ask } from "../support/http";
import { makeUser, makeUsers } from "../support/user";
import { launchBrowser, newPerson, type Person } from "./person";

let browser: Browser;
let person: Person;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function start() {
  person = await newPerson(browser);
  page = person.page;
}

describe("the list", () => {
  test("that is empty says what to do next", async () => {
    await start();
    await page.getByRole("heading", { name: "You have made no key yet" }).waitFor();
    await page.getByRole("button", { name: "Make your first key" }).click();
    await page.getByRole("dialog", { name: "New key" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "From others" }).click();
    await page.getByText(`Tell them your username: ${person.username}`).waitFor();
    person.expectCalm();
  });

  test("of 10,000 keys comes in pages, and is searched", async () => {
    await start();
    await makeKeys(person, person, 9_999);
    const needle = await createKey(person, { data: "x", price: "7", name: "A needle" });
    const [answer] = await Promise.all([page.waitForResponse((response) => response.request().resourceType() === "document"), page.goto("/keys")]);
    expect((await answer.body()).length).toBeLessThan(200_000);
    await page.getByText("1–25 of 10,000").waitFor();
    expect(await page.getByRole("row").count()).toBe(26);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText("26–50 of 10,000").waitFor();
    await page.goto("/keys?page=401");
    await page.getByText("9,976–10,000 of 10,000").waitFor();
    expect(await page.getByRole("link", { name: "Next" }).count()).toBe(0);

    await page.getByRole("searchbox").fill("NEEDLE");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "A needle" }).click();
    expect(new URL(page.url()).searchParams.get("key")).toBe(needle.id);
    await page.goBack();
    await page.getByRole("searchbox").fill("hay%");
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("No key matches “hay%”").waitFor();
    await page.getByRole("link", { name: "Show all of them" }).click();
    await page.getByText("1–25 of 10,000").waitFor();
    person.expectCalm();
  });

  test("lets several keys of others be left at once", async () => {
    await start();
    const other = { ...(await makeUser()), role: "user" };
    const keys = [];
    for (const name of ["Arcade", "Newsletter", "Workshop"]) {
      const key = await createKey(other, { data: "theirs", price: "3", name });
      await addHolder(other, await findFor(other, key.id), person.username);
      keys.push(key);
    }
    await createKey(person, { data: "own", price: "0", name: "My own" });

    await page.goto("/keys?list=given");
    expect(await page.getByText("My own").count()).toBe(0);
    await page.getByLabel("Choose Arcade").check();
    await page.getByLabel("Choose Workshop").check();
    await page.getByRole("button", { name: "Leave 2 keys" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave these 2 keys?" });
    expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([`Workshop from ${other.username}`, `Arcade from ${other.username}`]);
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.getByText("You have left 2 keys.").waitFor();
    const held = [];
    for (const { id } of keys) held.push((await ask(`/keys/check/${person.username}`, { query: { key: id } })).body?.owned);
    expect(held).toEqual([false, true, false]);

    await page.getByLabel("Choose all on this page").check();
    await page.getByRole("button", { name: "Leave 1 key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByText("You have left 1 key.").waitFor();
    await page.getByRole("heading", { name: "Nobody has added you to a key" }).waitFor();
    const { list } = await ask("/keys/mine", { query: { auth: person.token } });
    expect(list.map(({ name }) => name)).toEqual(["My own"]);
    person.expectCalm();
  });

  test("of a key's many holders comes in pages, and is searched", async () => {
    await start();
    const key = await createKey(person, { data: "x", price: "0", name: "Crowded" });
    const row = await findFor(person, key.id);
    const holders = await makeUsers(30);
    for (const { username } of holders) await addHolder(person, row, username);
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("1–25 of 31").waitFor();
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByText(`${person.username} made the key`).waitFor();
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
