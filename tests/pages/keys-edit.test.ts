import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { startService } from "@/tests/support/service";
import { smallDisk, smallDiskKinds } from "@/tests/support/small-disk";
import { makeUser, makeUsers, newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds, localTime, newKey, openNewKey, SECRET, seenBy } from "./keys-page";
import { button, focused, heading, holdBack, press, pressTo, submit, tabTo, told } from "./on-page";
import { newSignedIn, newVisitor, openReady, submitAccount, untilReady } from "./visitor";

const person = await newSignedIn();
const { page, token } = person;
const name = page.getByLabel("Name", { exact: true });
const price = page.getByRole("textbox", { name: "Price" });
const DAY = 86_400_000;
const saved = page.getByText("Saved.", { exact: true });

test("an action that is asked for twice is done once; a key that is not there is said to be missing", async () => {
  await openReady(page, "/keys");
  await press(page, "Create your first key");
  await page.getByLabel("Secret", { exact: true }).fill("once");
  let sent = 0;
  page.on("request", (request) => request.method() === "POST" && sent++);
  const arrive = await holdBack(page, "**/keys*");
  await page.getByLabel("Price").press("Enter");
  await page.getByLabel("Price").press("Enter");
  await expect.poll(() => page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  arrive();
  await page.getByRole("button", { name: "Copy id" }).waitFor();
  expect(sent).toBe(1);
  const { list } = await ask("/keys/mine", { query: { auth: token } });
  expect(list).toHaveLength(1);

  await page.unrouteAll();
  await ask(`/keys/delete/${list[0]?.id}`, { query: { auth: token } });
  await press(page, "Reveal", "There is no key with this id.");
  await page.goto(`/keys?${new URLSearchParams({ key: "../../etc/passwd" })}`);
  await heading(page, "Key not found");
  await expectGoodLooks(page);
});

test("every action has a command beside it that does the same", async () => {
  const friend = await makeUser();
  /** The commands on this page, and in the dialog that this button opens, with the token put in. */
  const commands = async (count: number, opener?: string) => {
    await untilReady(page);
    await press(page, "Show API calls");
    if (opener) await press(page, opener);
    const found = page.locator("main code").filter({ hasText: /^curl / });
    await expect.poll(() => found.count()).toBe(count);
    return (await found.allTextContents()).map((text) => text.replace("Bearer TOKEN", `Bearer ${token}`));
  };
  /** What the service answers to the arguments that a shell makes of the command. */
  const run = async (command: string | undefined) => {
    const [, bearer = "", address = ""] =
      /^curl -H "Authorization: Bearer ([\w-]+)" "([^"$`\\!]*)"$/.exec(command ?? "") ?? [];
    expect(address).toMatch(new RegExp(`^${origin}/keys/`));
    return ask(address.slice(origin.length), { headers: { Authorization: `Bearer ${bearer}` } });
  };
  await openNewKey(person);
  const typed = `$(id) "q" 'a' \`b\` & % ! é`;
  await name.fill(typed);
  await price.fill("2.5");
  await page.getByLabel("Add a user").fill(friend.username);
  expect(await page.locator("main pre").count()).toBe(0);
  const [get, replace, add, revoke, rename, reprice, remove] = await commands(7);
  expect((await run(get)).body).toMatchObject({ data: SECRET });
  await run(rename);
  await run(reprice);
  expect((await run(add)).body).toMatchObject({ added: true, user: friend.username });
  expect((await run(get)).body).toMatchObject({ name: typed, price: 2.5 });
  expect((await run(revoke?.replace("USERNAME", friend.username))).body).toMatchObject({ revoked: true });
  expect((await run(replace)).body).toMatchObject({ data: "DATA" });
  expect((await run(remove)).body).toMatchObject({ success: true });

  await page.goto("/keys");
  const [create, list] = await commands(2, "Create your first key");
  expect((await run(create)).body).toMatchObject({ success: true, data: "DATA", price: 0 });
  expect((await run(list)).list).toHaveLength(1);
  await page.goto(`/keys?key=${await newKey(friend, { holders: [person] })}`);
  expect((await run((await commands(2, "Leave"))[1])).body).toMatchObject({ revoked: true, user: person.username });
  expect(await page.content()).not.toContain(token);
});

test("who manages a key changes name and price together, takes it off sale, and deletes it", async () => {
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

test("a key that cannot be typed as it is named can be deleted, by keyboard alone", async () => {
  const keyId = await openNewKey(person, { name: "Cafe\u0301\tau\nlait\u200b" });
  await tabTo(page, "Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Delete this key?" }).waitFor();
  await expectGoodLooks(page, "dialog[open]");
  await page.keyboard.press("Escape");
  await expect.poll(() => focused(page)).toBe("Delete");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Delete this key?" }).waitFor();
  await page.keyboard.type("Café au lait");
  // The window has just had other sizes, so the button waits.
  await button(page, "Delete key").click({ trial: true });
  await page.keyboard.press("Enter");
  await told(page, "The key has been deleted.");
  expect(await seenBy(person, keyId)).toMatchObject({ code: "key_not_found" });
});

test("the creator gives access with an end, and extends it once it is over", async () => {
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

  await db.holder.updateMany({ where: { keyId, userId: friend.id }, data: { until: new Date(Date.now() - 60_000) } });
  await page.reload();
  await told(page, "Ended");
  await press(page, `Extend the access of ${friend.username}`);
  await page.getByRole("dialog").getByLabel("Access ends (optional)").fill("");
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
  await press(page, "Revoke users", "2 of 2 users lost access.");
  expect(await held()).toEqual([false, false]);
});

// On a service of its own: what is taken away here, others need.
test("lists that cannot be loaded never look empty; a full disk loses nothing that was typed", async () => {
  const disk = smallDisk(smallDiskKinds[0] ?? "a database that may not grow");
  const service = await startService({ lane: "direct", database: "sqlite" }, disk.variables);
  onTestFinished(async () => {
    await service.stop();
    disk.remove();
  });
  const { page: own } = await newVisitor(undefined, { baseURL: service.url });
  await own.goto("/signup?next=/keys");
  await submitAccount(own, "Sign up", newUsername());
  await press(own, "Create your first key");
  await own.getByLabel("Name", { exact: true }).fill("Pass");
  const data = own.getByLabel("Secret", { exact: true });
  // More than the pages that are half empty hold.
  const large = "x".repeat(60_000);
  await data.fill(large);
  disk.fill();
  await press(own, "Create key", "The service has no space left for this.");
  expect(await data.inputValue()).toBe(large);
  disk.free();
  await pressTo(own, "Create key", "Pass");

  const file = new Sqlite(join(disk.dataFolder, "latchkey.db"));
  for (const [address, words] of [
    [own.url(), "Created by"],
    ["/keys", "Pass"],
  ] as const) {
    file.exec('ALTER TABLE "Holder" RENAME TO "HolderAway"');
    await own.goto(address);
    await heading(own, "Your keys couldn't be loaded");
    expect(await own.getByText("You haven't created any keys yet").count()).toBe(0);
    const reference = await own.getByRole("main").getByRole("code").textContent();
    await expect
      .poll(() => readFileSync(service.logFile, "utf8"))
      .toMatch(new RegExp(`"id":"${reference}".*"status":500`));
    file.exec('ALTER TABLE "HolderAway" RENAME TO "Holder"');
    await press(own, "Try again", words);
  }
  file.close();
});
