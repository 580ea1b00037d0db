import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";
import { holds, openNewKey, SECRET, seenBy } from "./keys-page";
import { launchBrowser, newPerson, type Person } from "./person";

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

const openedKey = () => new URL(page.url()).searchParams.get("key") ?? "";
const button = (name: string) => page.getByRole("button", { name, exact: true });
const told = (text: string) => page.getByText(text, { exact: true }).waitFor();

describe("a person", () => {
  test("makes a key, which holds exactly what was typed", async () => {
    await page.goto("/keys");
    await page.getByRole("button", { name: /New key|Create your first key/ }).click();
    await page.getByLabel("Name", { exact: true }).fill("Ключ <i>1</i>");
    await page.getByLabel("Data", { exact: true }).fill(SECRET);
    await page.getByLabel("Price").fill("1,5");
    await button("Create key").click();
    await page.getByText("The price must be a plain decimal").waitFor();
    await page.getByLabel("Price").fill("-1.50");
    await button("Create key").click();
    await page.getByRole("heading", { name: "Ключ <i>1</i>" }).waitFor();
    expect(await seenBy(person, openedKey())).toMatchObject({
      name: "Ключ <i>1</i>",
      data: SECRET,
      price: -1.5,
      isCreator: true,
    });
    expect(await seenBy(friend, openedKey())).toMatchObject({ data: null });
    await page.getByRole("definition").filter({ hasText: "Not for sale" }).waitFor();
    expect(await page.getByLabel("Not for sale").isChecked()).toBe(true);
    await page.getByLabel("Name", { exact: true }).fill("Renamed");
    await button("Save").click();
    await told("Saved.");
    expect(await seenBy(person, openedKey())).toMatchObject({ name: "Renamed", price: -1.5 });
  });

  test("sees the data only after asking for it, and it was not on the page before", async () => {
    const answering: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "document") answering.push(response.text().catch(() => ""));
    });
    await openNewKey(person);
    await page.waitForLoadState("networkidle");
    const answers = (await Promise.all(answering)).join("");
    expect(answers.includes("Season pass")).toBe(true);
    expect(answers.includes("licence 7f31")).toBe(false);
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
    const keyId = await openNewKey(person, [friend]);
    await button("Change").click();
    await page.getByLabel("New data").fill("new\nsecret");
    await button("Save data").click();
    await told("Data updated for all holders.");
    expect(await seenBy(friend, keyId)).toMatchObject({ data: "new\nsecret" });
    await button("Reveal").click();
    await page.getByText("new secret").waitFor();
    await page.getByText(`${person.username} changed its data`).waitFor();
  });

  test("adds a user by name and revokes them", async () => {
    const keyId = await openNewKey(person);
    await page.getByLabel("Add a user").fill(`  ${friend.username.toUpperCase()} `);
    await button("Add").click();
    await told(`${friend.username} now holds the key.`);
    expect(await seenBy(friend, keyId)).toMatchObject({ data: SECRET, owned: true });
    await page.getByLabel("Add a user").fill(friend.username);
    await button("Add").click();
    await told(`${friend.username} already held the key.`);
    for (const nobody of [newUsername(), "no such user!"]) {
      await page.getByLabel("Add a user").fill(nobody);
      await button("Add").click();
      await told("There is no user with this name.");
    }

    await button(`Revoke ${friend.username}`).click();
    await told(`${friend.username} no longer holds the key. To undo this, add them again.`);
    expect(await seenBy(friend, keyId)).toMatchObject({ data: null, owned: false });
    await button(`Revoke ${friend.username}`).waitFor({ state: "detached" });
    const happened = await page.getByRole("region", { name: "Activity" }).getByRole("listitem").allInnerTexts();
    const { username } = person;
    expect(happened.map((line) => line.split("\n")[0])).toEqual([
      `${username} revoked ${friend.username}'s access`,
      `${username} added ${friend.username}`,
      `${username} created the key`,
    ]);
  });

  test("deletes a key by typing its name, and still knows what happened to it", async () => {
    const keyId = await openNewKey(person, [friend], "Old pass");
    await button("Delete").click();
    await page.getByLabel("Key name").fill("Old pas");
    expect(await button("Delete key").isDisabled()).toBe(true);
    await page.keyboard.press("Enter");
    expect(await holds(friend.username, keyId)).toBe(true);
    await page.getByLabel("Key name").fill("Old pass");
    await button("Delete key").click();
    await page.getByText("The key has been deleted.").waitFor();
    expect(await holds(friend.username, keyId)).toBe(false);
    await page.getByRole("link", { name: "history" }).click();
    await page.getByText(`${person.username} deleted the key`).waitFor();
    await page.getByText(`${person.username} added ${friend.username}`).waitFor();
  });

  test("is shown of others' keys what a holder may see, and leaves one", async () => {
    const key = await createKey({ ...friend, role: "user" }, { data: "theirs", price: "3", name: "Workshop" });
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("You don't hold this key").waitFor();
    expect(await button("Reveal").count()).toBe(0);
    await addHolder({ ...friend, role: "user" }, await findKey({ ...friend, role: "user" }, key.id), person.username);
    await page.reload();
    for (const missing of ["Change", "Delete", "Add"]) expect(await button(missing).count()).toBe(0);
    expect(await page.getByText("Activity").count()).toBe(0);
    await button("Reveal").click();
    await page.getByText("theirs").waitFor();
    await button("Leave").click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "No keys from others yet" }).waitFor();
    expect(await holds(person.username, key.id)).toBe(false);
  });

  test("had no complaint of the browser in all this", () => person.expectCalm());
});
