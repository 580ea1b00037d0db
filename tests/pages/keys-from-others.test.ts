import { expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { makeKeys } from "@/tests/keys/keys";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { giveKey, holds, newKey, openNewKey, seenBy } from "./keys-page";
import { button, heading, press, pressByKey, told } from "./on-page";
import { newSignedIn, newVisitor, openReady, openSessionIn } from "./visitor";

const window = await newVisitor();
const { page, context } = window;

const DAY = 86_400_000;

test("a new holder is told by whom, until it is read, of an end within a week, and that it has ended", async () => {
  const [creator, holder] = [await makeUser(), await newSignedIn(window)];
  const keyId = await newKey(creator, { holders: [holder], name: LONG_NAME });
  const end = (inMs: number) =>
    db.holder.updateMany({ where: { userId: holder.id }, data: { until: new Date(Date.now() + inMs) } });
  await end(3 * DAY);
  await page.goto("/keys");
  await told(page, "1 new, 1 ends soon");
  await page.getByText("What's new").click();
  const news = page.getByText(`Gave you ${LONG_NAME}`);
  await news.waitFor();
  await told(page, `Your access to ${LONG_NAME} ends on`);
  await expectGoodLooks(page);
  await press(page, "Mark as read");
  await news.waitFor({ state: "detached" });
  await page.getByText("1 ends soon", { exact: true }).waitFor();
  await told(page, `Your access to ${LONG_NAME} ends on`);
  await page.goto(`/keys?key=${keyId}`);
  await told(page, "Your access ends");
  await end(-DAY);
  const ended = await (await page.request.get(`/keys?key=${keyId}`)).text();
  expect([ended.includes("Your access ended on"), ended.includes("Reveal")]).toEqual([true, false]);
});

test("a key is offered, and taken over on the other's page; all are, by who deletes the account", async () => {
  const [old, other] = [await newSignedIn(window), await makeUser()];
  const offer = async (field: string, to: string) => {
    await page.getByLabel(field).fill(to);
    await press(page, "Offer");
  };
  const keyId = await openNewKey(old);
  await offer("New creator", "nobody-there");
  await told(page, "There is no user with this name.");
  await offer("New creator", other.username);
  await button(page, "Withdraw offer").waitFor();
  for (const name of ["One", "Two"]) await newKey(old, { name });
  await openReady(page, "/account");
  await offer("Offer your 3 keys to", other.username);
  await told(page, `Offered to ${other.username}.`, "3 keys are offered but not accepted yet.");

  await context.clearCookies();
  await openSessionIn(window, other);
  await openReady(page, "/keys");
  await heading(page, "3 keys are offered to you");
  await expectGoodLooks(page);
  await pressByKey(page, "Accept Season pass");
  await told(page, "1 key is now yours.");
  expect(await seenBy(other, keyId)).toMatchObject({ creator: other.username, isCreator: true });
  expect(await seenBy(old, keyId)).toMatchObject({ isCreator: false, owned: true });
  await heading(page, "2 keys are offered to you");
  await press(page, "Decline Two", "You declined 1 key.");
  await heading(page, "A key is offered to you");
  await press(page, "Accept One");
  await page.getByRole("heading", { name: "A key is offered to you" }).waitFor({ state: "detached" });
});

test("a person is shown of others' keys what a holder may see, and leaves one", async () => {
  const [person, friend] = [await newSignedIn(window), await makeUser()];
  const keyId = await newKey(friend, { data: "theirs" });
  const before = await (await page.request.get(`/keys?key=${keyId}`)).text();
  expect([before.includes("t hold this key"), before.includes("Reveal")]).toEqual([true, false]);
  await giveKey(friend, keyId, person);
  await page.goto(`/keys?key=${keyId}`);
  for (const missing of ["Change", "Delete", "Add"]) expect(await button(page, missing).count()).toBe(0);
  expect(await page.getByText("Activity").count()).toBe(0);
  await press(page, "Reveal", "theirs");
  await press(page, "Leave");
  await press(page.getByRole("dialog"), "Leave");
  await heading(page, "No keys from others yet");
  expect(await holds(person.username, keyId)).toBe(false);
  person.expectCalm();
});

test("a giver is blocked with all keys that came from there, and unblocked again", async () => {
  const { id } = await newSignedIn(window);
  const [giver, friend] = [await makeUser(), await makeUser()];
  await makeKeys(giver, { id }, { count: 31 });
  await makeKeys(friend, { id }, { count: 1 });
  await page.goto("/keys?list=given");
  await button(page, `Block ${giver.username}`).first().click();
  const dialog = page.getByRole("dialog", { name: `Block ${giver.username}?` });
  await dialog.waitFor();
  await expectGoodLooks(page, "dialog[open]");
  await press(dialog, "Block and leave all 31 keys");
  await told(page, `${giver.username} is blocked, and you left 31 keys.`);
  expect(await db.holder.count({ where: { userId: id } })).toBe(1);
  const blocked = page.getByRole("list", { name: "Blocked people" });
  await told(blocked, giver.username);
  await expectGoodLooks(page);
  const unblocked = page.getByText(`${giver.username} can add you to keys again.`);
  await press(page, `Unblock ${giver.username}`);
  await unblocked.waitFor();
  await blocked.waitFor({ state: "detached" });
  expect(await db.blockedGiver.count({ where: { userId: id } })).toBe(0);

  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await told(page, `${giver.username} is blocked again.`);
  await told(blocked, giver.username);
  expect(await unblocked.count()).toBe(0);
  expect(await db.blockedGiver.count({ where: { userId: id } })).toBe(1);
  expect(await db.holder.count({ where: { userId: id } })).toBe(1);
});
