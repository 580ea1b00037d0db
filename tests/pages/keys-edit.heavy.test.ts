import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { makeUser, type TestUser } from "@/tests/support/user";
import { holds, openNewKey, seenBy } from "./keys-page";
import { openForEach } from "./open-for-each";
import { newPerson, type Person } from "./person";

let person: Person;
let page: Page;
let friend: TestUser;
openForEach(newPerson, async (opened) => {
  person = opened;
  page = opened.page;
  friend = await makeUser();
});

const button = (name: string) => page.getByRole("button", { name, exact: true });
const told = (text: string) => page.getByText(text, { exact: true }).waitFor();

describe("who manages a key", () => {
  test("changes name and price together, and is told what a price can be", async () => {
    const keyId = await openNewKey(person, [friend]);
    const [name, price] = [page.getByLabel("Name", { exact: true }), page.getByRole("textbox", { name: "Price" })];
    await name.fill("Day pass");
    await price.fill("0.500");
    await button("Save").click();
    await told("Saved.");
    await page.getByRole("heading", { name: "Day pass" }).waitFor();
    await expect.poll(() => price.inputValue()).toBe("0.5");
    expect(await seenBy(friend, keyId)).toMatchObject({ name: "Day pass", price: 0.5 });
    await page.getByText(`${person.username} changed its name: Season pass → Day pass`).waitFor();
    await page.getByText(`${person.username} changed its price: 1.5 → 0.5`).waitFor();

    await price.fill("1e5");
    expect(await page.getByText("Saved.", { exact: true }).count()).toBe(0);
    await name.fill("Another");
    await button("Save").click();
    await page.getByText("The new price must be a plain decimal").waitFor();
    expect(await price.getAttribute("aria-invalid")).toBe("true");
    await expect.poll(() => price.evaluate((field) => field === document.activeElement)).toBe(true);
    await price.fill("2");
    await page.getByText("The new price must be a plain decimal").waitFor({ state: "detached" });
    await name.fill("x".repeat(101));
    await button("Save").click();
    await told("The new name can have 100 characters at most.");
    expect(await name.getAttribute("aria-invalid")).toBe("true");
    expect(await seenBy(friend, keyId)).toMatchObject({ name: "Day pass", price: 0.5 });
    person.expectCalm();
  });

  test("takes a key off sale and puts it back on", async () => {
    const keyId = await openNewKey(person);
    const price = page.getByRole("textbox", { name: "Price" });
    await page.getByLabel("Not for sale").check();
    expect(await price.isDisabled()).toBe(true);
    await button("Save").click();
    await told("Saved.");
    expect(await seenBy(person, keyId)).toMatchObject({ price: -1 });
    await page.getByText(`${person.username} changed its price: 1.5 → Not for sale`).waitFor();
    await page.getByLabel("Not for sale").uncheck();
    await price.fill("3");
    await button("Save").click();
    await page.getByText(`${person.username} changed its price: Not for sale → 3`).waitFor();
    expect(await seenBy(person, keyId)).toMatchObject({ price: 3 });
    person.expectCalm();
  });

  test("sees a stored price that is not a number, and keeps it when the name changes", async () => {
    const keyId = await openNewKey(person);
    await db.key.update({ where: { id: keyId }, data: { price: "about 3" } });
    await page.reload();
    expect(await page.getByRole("textbox", { name: "Price" }).inputValue()).toBe("about 3");
    await page.getByLabel("Name", { exact: true }).fill("Kept");
    await button("Save").click();
    await told("Saved.");
    expect(await db.key.findUnique({ where: { id: keyId } })).toMatchObject({ name: "Kept", price: "about 3" });
    await db.key.delete({ where: { id: keyId } });
    person.expectCalm();
  });

  test("deletes a key without a name by the beginning of its id", async () => {
    const keyId = await openNewKey(person, [], "");
    await button("Delete").click();
    await page.getByLabel("Beginning of its id").fill(keyId.slice(0, 8));
    await button("Delete key").click();
    await page.getByText("The key has been deleted.").waitFor();
    expect(await seenBy(person, keyId)).toMatchObject({ code: "key_not_found" });
    person.expectCalm();
  });

  test("as an admin, manages somebody else's key without reading its data", async () => {
    const owner = { ...(await makeUser()), role: "user" };
    const key = await createKey(owner, { data: "theirs", price: "3", name: "Workshop" });
    await addHolder(owner, await findKey(owner, key.id), friend.username);
    await db.user.update({ where: { id: person.id }, data: { role: "admin" } });
    await page.goto(`/keys?key=${key.id}`);
    await page.getByText("You manage this key but don't hold it").waitFor();
    expect(await button("Reveal").count()).toBe(0);
    await button(`Revoke ${friend.username}`).click();
    await told(`${friend.username} no longer holds the key. To undo this, add them again.`);
    expect(await holds(friend.username, key.id)).toBe(false);
    await db.user.update({ where: { id: person.id }, data: { role: "user" } });
    await page.reload();
    await page.getByText("You don't hold this key").waitFor();
    person.expectCalm();
  });
});
