import { expect, test } from "vitest";
import { makeUser, newUsername } from "@/tests/support/user";
import { holds, openNewKey, SECRET, seenBy } from "./keys-page";
import { button, press, submit, told } from "./on-page";
import { newSignedIn, openReady } from "./visitor";

const person = await newSignedIn();
const { page } = person;
await openReady(page, "/keys");
const friend = await makeUser();

test("a person makes a key, which holds exactly what was typed, without blanks around name and price", async () => {
  await press(page, "Create your first key");
  const typed = { Name: "  Ключ <i>1</i>  ", Secret: ` ${SECRET} `, Price: "12,50" };
  await submit(page, typed, "Create key", "The price must be written with a point: 12.50.");
  await submit(page, { Price: " -1.50 " }, "Create key");
  await page.getByRole("heading", { name: "Ключ <i>1</i>" }).waitFor();
  const keyId = new URL(page.url()).searchParams.get("key") ?? "";
  const stored = { name: "Ключ <i>1</i>", data: ` ${SECRET} `, price: -1.5, isCreator: true };
  expect(await seenBy(person, keyId)).toMatchObject(stored);
  expect(await seenBy(friend, keyId)).toMatchObject({ data: null });
  await page.getByRole("definition").filter({ hasText: "Not for sale" }).waitFor();
  expect(await page.getByLabel("Not for sale").isChecked()).toBe(true);
  await submit(page, { Name: "Renamed" }, "Save", "Saved.");
  expect(await seenBy(person, keyId)).toMatchObject({ name: "Renamed", price: -1.5 });
});

test("a person sees data only after asking for it, and replaces it; holders read the new", async () => {
  const answering: Promise<string>[] = [];
  page.on("response", (response) => {
    if (response.request().resourceType() === "document") answering.push(response.text().catch(() => ""));
  });
  const keyId = await openNewKey(person, { holders: [friend] });
  await page.waitForLoadState("networkidle");
  const answers = (await Promise.all(answering)).join("");
  expect(answers.includes("Season pass")).toBe(true);
  expect(answers.includes("licence 7f31")).toBe(false);
  await button(page, "Copy").first().click();
  await told(page, "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(SECRET);
  expect(await page.content()).not.toContain("licence 7f31");
  await press(page, "Reveal", "licence 7f31");
  expect(await page.getByRole("region", { name: "The key's secret" }).textContent()).toBe(SECRET);
  await press(page, "Hide");
  expect(await page.content()).not.toContain("licence 7f31");

  await press(page, "Change");
  await submit(page, { "New secret": "new\nsecret" }, "Save secret", "Secret updated for all holders.");
  expect(await seenBy(friend, keyId)).toMatchObject({ data: "new\nsecret" });
  await press(page, "Reveal", "new secret", `${person.username} changed its secret`);
});

test("a person adds a user by name, revokes them, and deletes the key by typing its name", async () => {
  const keyId = await openNewKey(person, { name: "Old pass" });
  await page.getByLabel("Add a user").fill(`  ${friend.username.toUpperCase()} `);
  await press(page, "Add", `${friend.username} now holds the key.`);
  expect(await seenBy(friend, keyId)).toMatchObject({ data: SECRET, owned: true });
  await submit(page, { "Add a user": friend.username }, "Add", `${friend.username} already held the key.`);
  await submit(page, { "Add a user": newUsername() }, "Add", "There is no user with this name.");
  await press(page, `Revoke ${friend.username}`, `${friend.username} no longer holds the key.`);
  expect(await seenBy(friend, keyId)).toMatchObject({ data: null, owned: false });
  await submit(page, { "Add a user": friend.username }, "Add");
  await button(page, `Revoke ${friend.username}`).waitFor();
  expect(await seenBy(friend, keyId)).toMatchObject({ data: SECRET, owned: true });
  await press(page, `Revoke ${friend.username}`, `${friend.username} no longer holds the key.`);
  await button(page, `Revoke ${friend.username}`).waitFor({ state: "detached" });
  const { username } = person;
  const activity = page.getByRole("region", { name: "Activity" });
  await told(activity, `${username} revoked ${friend.username}'s access`, `${username} created the key`);
  expect(await activity.getByRole("listitem").count()).toBe(5);

  await press(page, "Delete");
  await page.getByLabel("Key name").fill("Old pas");
  expect(await button(page, "Delete key").isDisabled()).toBe(true);
  await page.keyboard.press("Enter");
  expect(await holds(username, keyId)).toBe(true);
  await submit(page, { "Key name": "Old pass" }, "Delete key", "The key has been deleted.");
  expect(await holds(username, keyId)).toBe(false);
  await page.getByRole("link", { name: "history" }).click();
  await told(page, `${username} deleted the key`, `${username} added ${friend.username}`);
});
