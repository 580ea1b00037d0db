import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findFor } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { ask } from "../support/http";
import { makeUser, newUsername, type TestUser } from "../support/user";
import { launchBrowser, newPerson, type Person } from "./person";

const SECRET = 'licence 7f31\n{"a": 1} 🔑 "quoted" <b>';

let browser: Browser;
let person: Person;
let page: Page;
let friend: TestUser;

beforeAll(async () => {
  browser = await launchBrowser();
  person = await newPerson(browser);
  page = person.page;
});
afterAll(() => browser?.close());
beforeEach(async () => {
  friend = await makeUser();
});

const seenBy = async (user: { token: string }, keyId: string) => (await ask(`/keys/get/${keyId}`, { query: { auth: user.token } })).body;
const holds = async (username: string, keyId: string) => (await ask(`/keys/check/${username}`, { query: { key: keyId } })).body?.owned;
const openedKey = () => new URL(page.url()).searchParams.get("key") ?? "";
const button = (name: string) => page.getByRole("button", { name, exact: true });
const told = (text: string) => page.getByText(text, { exact: true }).waitFor();

async function openNewKey(holders: TestUser[] = [], name = "Season pass") {
  const key = await createKey(person, { data: SECRET, price: "1.5", name });
  for (const holder of holders) await addHolder(person, await findFor(person, key.id), holder.username);
  await page.goto(`/keys?key=${key.id}`);
  return key.id;
}

describe("a person", () => {
  test("makes a key, which holds exactly what was typed", async () => {
    await page.goto("/keys");
    await page.getByRole("button", { name: /New key|Make your first key/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ключ <i>1</i>");
    await page.getByLabel("Data", { exact: true }).fill(SECRET);
    await page.getByLabel("Price").fill("1,5");
    await button("Make the key").click();
    await page.getByText("The price must be a plain decimal").waitFor();
    await page.getByLabel("Price").fill("-1.50");
    await button("Make the key").click();
    await page.getByRole("heading", { name: "Ключ <i>1</i>" }).waitFor();
    expect(await seenBy(person, openedKey())).toMatchObject({ name: "Ключ <i>1</i>", data: SECRET, price: -1.5, isCreator: true });
    expect(await seenBy(friend, openedKey())).toMatchObject({ data: null });
    await told("Not for sale");
  });

  test("sees the data only after asking for it, and it was not on the page before", async () => {
    const answers: string[] = [];
    page.on("response", async (response) => {
      if (response.request().resourceType() === "document") answers.push(await response.text().catch(() => ""));
    });
    await openNewKey();
    await page.waitForLoadState("networkidle");
    expect(answers.join("").includes("Season pass")).toBe(true);
    expect(answers.join("").includes("licence 7f31")).toBe(false);
    expect(await page.content()).not.toContain("licence 7f31");

    await button("Copy").first().click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SECRET);
    expect(await page.content()).not.toContain("licence 7f31");

    await button("Reveal").click();
    await page.getByText("licence 7f31").waitFor();
    expect(await page.getByRole("region", { name: "The key's data" }).textContent()).toBe(SECRET);
    await button("Hide").click();
    expect(await page.content()).not.toContain("licence 7f31");
  });

  test("replaces the data, and its holders read the new", async () => {
    const keyId = await openNewKey([friend]);
    await button("Change").click();
    await page.getByLabel("New data").fill("new\nsecret");
    await button("Save the data").click();
    await told("The data is changed for all who hold the key.");
    expect(await seenBy(friend, keyId)).toMatchObject({ data: "new\nsecret" });
    await button("Reveal").click();
    await page.getByText("new secret").waitFor();
    await page.getByText(`${person.username} changed its data`).waitFor();
  });

  test("changes name and price, and is told what a price can be", async () => {
    const keyId = await openNewKey([friend]);
    await page.getByLabel("Name", { exact: true }).fill("Day pass");
    await button("Save the name").click();
    await page.getByRole("heading", { name: "Day pass" }).waitFor();
    await page.getByRole("textbox", { name: "Price" }).fill("0.500");
    await button("Save the price").click();
    await told("The key has its new price.");
    await expect.poll(() => button("Save the price").isDisabled()).toBe(true);
    expect(await seenBy(friend, keyId)).toMatchObject({ name: "Day pass", price: 0.5 });
    await page.getByRole("textbox", { name: "Price" }).fill("1e5");
    await button("Save the price").click();
    await page.getByText("The new price must be a plain decimal").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("x".repeat(101));
    await button("Save the name").click();
    await told("The new name can have 100 characters at most.");
    expect(await seenBy(friend, keyId)).toMatchObject({ name: "Day pass", price: 0.5 });
  });

  test("adds a user by name and revokes them", async () => {
    const keyId = await openNewKey();
    await page.getByLabel("Add a user").fill(`  ${friend.username.toUpperCase()} `);
    await button("Add").click();
    await told(`${friend.username} now holds the key.`);
    expect(await seenBy(friend, keyId)).toMatchObject({ data: SECRET, owned: true });
    await page.getByLabel("Add a user").fill(friend.username);
    await button("Add").click();
    await told(`${friend.username} held the key already.`);
    for (const nobody of [newUsername(), "no such user!"]) {
      await page.getByLabel("Add a user").fill(nobody);
      await button("Add").click();
      await told("There is no user with this name.");
    }

    await button(`Revoke ${friend.username}`).click();
    await told(`${friend.username} no longer holds the key.`);
    expect(await seenBy(friend, keyId)).toMatchObject({ data: null, owned: false });
    await button(`Revoke ${friend.username}`).waitFor({ state: "detached" });
    const happened = await page.getByRole("region", { name: "What happened" }).getByRole("listitem").allInnerTexts();
    const { username } = person;
    expect(happened.map((line) => line.split("\n")[0])).toEqual([
      `${username} revoked ${friend.username}`,
      `${username} added ${friend.username}`,
      `${username} made the key`,
    ]);
  });

  test("deletes a key by typing its name, and still knows what happened to it", async () => {
    const keyId = await openNewKey([friend], "Old pass");
    await button("Delete").click();
    await page.getByLabel("Name of the key").fill("Old pas");
    expect(await button("Delete the key").isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await holds(friend.username, keyId)).toBe(true);
    await page.getByLabel("Name of the key").fill("Old pass");
    await button("Delete the key").click();
    await page.getByText("The key is deleted.").waitFor();
    expect(await holds(friend.username, keyId)).toBe(false);
    await page.getByRole("link", { name: "What happened to it" }).click();
    await page.getByText(`${person.username} deleted the key`).waitFor();
    await page.getByText(`${person.username} added ${friend.username}`).waitFor();
  });

  test("deletes a key without a name by the beginning of its id", async () => {
    const keyId = await openNewKey([], "");
    await button("Delete").click();
    await page.getByLabel("Beginning of its id").fill(keyId.slice(0, 8));
    await button("Delete the key").click();
    await page.getByText("The key is deleted.").waitFor();
    expect(await seenBy(person, keyId)).toMatchObject({ code: "key_not_found" });
  });

  test("who is an admin manages a key of somebody else's without reading its data", async () => {
    const owner = { ...(await makeUser()), role: "user" };
    const key = await createKey(owner, { data: "theirs", price: "3", name: "Workshop" });
    await addHolder(owner, await findFor(owner, key.id), friend.username);
    await db.user.update({ where: { id: person.id }, data: { role: "admin" } });
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("You manage this key without holding it").waitFor();
    expect(await button("Reveal").count()).toBe(0);
    await button(`Revoke ${friend.username}`).click();
    await told(`${friend.username} no longer holds the key.`);
    expect(await holds(friend.username, key.id)).toBe(false);
    await db.user.update({ where: { id: person.id }, data: { role: "user" } });
    await page.reload();
    await page.getByText("You do not hold this key").waitFor();
  });

  test("is shown of others' keys what a holder may see, and leaves one", async () => {
    const key = await createKey({ ...friend, role: "user" }, { data: "theirs", price: "3", name: "Workshop" });
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("You do not hold this key").waitFor();
    expect(await button("Reveal").count()).toBe(0);
    await addHolder({ ...friend, role: "user" }, await findFor({ ...friend, role: "user" }, key.id), person.username);
    await page.reload();
    for (const missing of ["Change", "Delete", "Add"]) expect(await button(missing).count()).toBe(0);
    expect(await page.getByText("What happened").count()).toBe(0);
    await button("Reveal").click();
    await page.getByText("theirs").waitFor();
    await button("Leave").click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Nobody has added you to a key" }).waitFor();
    expect(await holds(person.username, key.id)).toBe(false);
  });

  test("had no complaint of the browser in all this", () => person.expectCalm());
});
