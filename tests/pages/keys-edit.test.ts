import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { makeUser, makeUsers } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds, localTime, openNewKey, seenBy } from "./keys-page";
import { button, focused, heading, press, pressKeys, submit, tabTo, told } from "./on-page";
import { newSignedIn } from "./visitor";

const person = await newSignedIn();
const { page } = person;
const name = page.getByLabel("Name", { exact: true });
const price = page.getByRole("textbox", { name: "Price" });
const DAY = 86_400_000;
const saved = page.getByText("Saved.", { exact: true });

test("who manages a key changes name and price together, takes it off sale and back, and deletes it", async () => {
  const keyId = await openNewKey(person);
  const save = async (change: string) => {
    await press(page, "Save");
    await saved.waitFor();
    await told(page, `${person.username} changed its ${change}`);
  };
  await name.fill("Day pass");
  await price.fill("0.500");
  await save("name: Season pass → Day pass");
  await heading(page, "Day pass");
  await expect.poll(() => price.inputValue()).toBe("0.5");
  await told(page, `${person.username} changed its price: 1.5 → 0.5`);

  // Nothing is saved if anything cannot be.
  await price.fill("1e5");
  await name.fill("Another");
  await press(page, "Save", "The new price must be a plain decimal");
  expect(await seenBy(person, keyId)).toMatchObject({ name: "Day pass", price: 0.5 });
  await name.fill("Day pass");
  await page.getByLabel("Not for sale").check();
  expect(await price.isDisabled()).toBe(true);
  await save("price: 0.5 → Not for sale");
  expect(await seenBy(person, keyId)).toMatchObject({ price: -1 });
  await page.getByLabel("Not for sale").uncheck();
  await price.fill("3");
  await save("price: Not for sale → 3");
  expect(await seenBy(person, keyId)).toMatchObject({ price: 3 });

  // A stored price that is no number is shown, and kept when the name changes.
  await db.key.update({ where: { id: keyId }, data: { price: "about 3" } });
  await page.reload();
  expect(await price.inputValue()).toBe("about 3");
  await name.fill("");
  await press(page, "Save");
  await saved.waitFor();
  expect(await db.key.findUnique({ where: { id: keyId } })).toMatchObject({ name: "", price: "about 3" });

  // It has no name.
  await heading(page, "Unnamed key");
  await press(page, "Delete");
  await submit(page, { "Beginning of its id": keyId.slice(0, 8) }, "Delete key", "The key has been deleted.");
  expect(await seenBy(person, keyId)).toMatchObject({ code: "key_not_found" });
});

test("a key that cannot be typed as it is named can be deleted", async () => {
  const keyId = await openNewKey(person, { name: "Cafe\u0301\tau\nlait\u200b" });
  await press(page, "Delete");
  await page.getByLabel("Key name").fill("Café au lait");
  await expectGoodLooks(page, "dialog[open]");
  await press(page, "Delete key", "The key has been deleted.");
  expect(await seenBy(person, keyId)).toMatchObject({ code: "key_not_found" });
});

test("everything is done by keyboard alone", async () => {
  const pressOn = async (element: string) => {
    await tabTo(page, element);
    await page.keyboard.press("Enter");
  };
  await page.goto("/keys");
  await pressOn("Create your first key");
  await page.getByRole("dialog", { name: "New key" }).waitFor();
  await page.keyboard.type("By hand");
  await page.keyboard.press("Tab");
  await page.keyboard.type("typed");
  await pressKeys(page, "Tab", "Enter");
  await heading(page, "By hand");
  await page.waitForLoadState();
  const made = new URL(page.url()).searchParams.get("key") ?? "";
  await pressOn("Reveal");
  await page.getByText("typed", { exact: true }).waitFor();
  await pressOn("Delete");
  await page.getByRole("dialog", { name: "Delete this key?" }).waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Delete this key?" }).waitFor();
  await page.keyboard.type("By hand");
  await page.keyboard.press("Enter");
  await told(page, "The key has been deleted.");
  expect(await seenBy(person, made)).toMatchObject({ code: "key_not_found" });
  person.expectCalm();
});

test("the creator gives access with an end, changes it, and extends it once it is over", async () => {
  const friend = await makeUser();
  const keyId = await openNewKey(person);
  const end = new Date(Math.ceil(Date.now() / DAY) * DAY + 3 * DAY);
  const access = async () =>
    ((await seenBy(friend, keyId))?.users as Record<string, { until?: number }> | undefined)?.[friend.username];
  const ends = page.getByLabel("Access ends (optional)");
  await page.getByLabel("Add a user").fill(friend.username);
  await ends.fill(localTime(new Date(Date.now() - DAY)));
  await press(page, "Add", "The end must be in the future.");
  expect(await holds(friend.username, keyId)).toBe(false);
  await ends.fill(localTime(end));
  await press(page, "Add", `${friend.username} now holds the key.`);
  expect(await access()).toMatchObject({ until: end.getTime() / 1000 });

  const endInDialog = page.getByRole("dialog").getByLabel("Access ends (optional)");
  const later = new Date(end.getTime() + 7 * DAY);
  await press(page, `Change end of access of ${friend.username}`);
  await endInDialog.fill(localTime(later));
  await page.keyboard.press("Enter");
  await told(page, `The end date of ${friend.username}'s access was changed.`);
  expect(await access()).toMatchObject({ until: later.getTime() / 1000 });

  await db.holder.updateMany({ where: { keyId, userId: friend.id }, data: { until: new Date(Date.now() - 60_000) } });
  await page.reload();
  await told(page, "Ended");
  await press(page, `Extend the access of ${friend.username}`);
  await endInDialog.fill("");
  await press(page.getByRole("dialog"), "Save");
  await told(page, `The end date of ${friend.username}'s access was changed.`);
  expect(await access()).toEqual({ time: expect.any(Number) });
});

test("a list of names is added from a CSV, with a result for each, and revoked", async () => {
  const users = await makeUsers(2);
  const keyId = await openNewKey(person);
  const names = page.getByRole("textbox", { name: "Usernames" });
  const held = () => Promise.all(users.map(({ username }) => holds(username, keyId)));
  const pick = async (content: string | Buffer) => {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), button(page, "Read from a file").click()]);
    await chooser.setFiles({ name: "buyers.csv", mimeType: "text/csv", buffer: Buffer.from(content) });
  };
  await press(page, "Add many");
  await names.fill("typed");
  await pick("a\n".repeat(50_001));
  await told(page, "This file is too large for a list of 500 usernames.");
  expect(await names.inputValue()).toBe("typed");
  const lines = ["username,order", ...users.map(({ username }, n) => `${username},${n}`), "nobody-at-all,7"];
  // As Excel writes it.
  await pick(Buffer.from(`\ufeff${lines.join("\r\n")}`, "utf16le"));
  await expect.poll(() => names.inputValue()).toBe(lines.join("\n"));
  expect(await page.getByText("This file is too large").count()).toBe(0);
  await press(page, "Add users", "2 of 3 users got access.", "There is no user with this name.");
  await expectGoodLooks(page, "dialog[open]");
  await page.keyboard.press("Enter");
  expect(await held()).toEqual([true, true]);
  await press(page, "Revoke many");
  await names.fill(users.map(({ username }) => username).join(", "));
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  });
  await pick("first");
  await told(page, "This file was changed or removed on this device since you chose it");
  await press(page, "Revoke users", "2 of 2 users lost access.");
  expect(await held()).toEqual([false, false]);
});
