import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashSecret } from "@/lib/accounts/ways-in/one-time-link";
import { db } from "@/lib/platform/db/client";
import { makeKeys } from "@/tests/keys/keys";
import { makeUser, newUsername } from "@/tests/support/user";
import { openLink } from "./confirming";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { giveKey, holds, newKey, openNewKey, seenBy } from "./keys-page";
import { button, downloaded, fillIn, heading, press, pressByKey, submit, told } from "./on-page";
import { newSignedIn, newVisitor, openReady, openSessionIn, submitAccount } from "./visitor";

const window = await newVisitor();
const { page, context } = window;
const dialog = page.getByRole("dialog");
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
  await expectGoodLooks(page);
  await press(page, "Mark as read");
  await news.waitFor({ state: "detached" });
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

test("a link is made, opened, and accepted once, by a newcomer; its creator sees who accepted", async () => {
  const creator = await newSignedIn(window);
  const keyId = await openNewKey(creator);
  await press(page, "Create links");
  await page.getByLabel("Number of links").fill("1");
  await dialog.getByLabel("Access ends").check();
  await page.getByLabel("Days of access").fill("30");
  await submit(dialog, { "Note (optional)": "order 1234" }, "Create");
  const link = String(await dialog.locator("code").first().textContent());
  await dialog.getByRole("img", { name: "QR code of the link" }).waitFor();
  await expectGoodLooks(page, "dialog[open]");
  await press(page, "Done");
  const [, secret = ""] = link.split("#");
  expect(await page.content()).not.toContain(secret);

  const opened = await newVisitor();
  const { page: claiming } = opened;
  const addresses: string[] = [];
  claiming.on("request", (request) => addresses.push(request.url()));
  await claiming.goto(link);
  await heading(claiming, "Someone has a key for you");
  await press(claiming, "Continue", "To accept it, you need an account here.");
  await claiming.getByRole("link", { name: "Sign up", exact: true }).last().click();
  const username = newUsername();
  await submitAccount(claiming, "Sign up", username);
  await claiming.waitForURL("**/claim");
  await heading(claiming, "Season pass");
  await told(claiming, "Access lasts 30 days");
  expect(await holds(username, keyId)).toBe(false);
  await pressByKey(claiming, "Accept");
  await heading(claiming, "You now have Season pass");
  await told(claiming, "Your access ends");
  await expectGoodLooks(claiming);
  expect(await claiming.content()).not.toContain("licence 7f31");
  await press(claiming, "Reveal", "licence 7f31");
  expect(await holds(username, keyId)).toBe(true);
  expect(addresses.join(" ")).not.toContain(secret);

  await openLink(claiming, link, "You've already used this link.");
  await newSignedIn(opened);
  await claiming.reload();
  await press(claiming, "Continue", "This link doesn't work");
  await page.reload();
  await told(page, "order 1234");
  expect(await page.getByRole("table", { name: "Claim links" }).textContent()).toContain(username);
  await told(page, "accepted the key with a claim link");
  await expectGoodLooks(page);
});

test("many links are downloaded as CSV, and ended, one or all", async () => {
  await openNewKey(await newSignedIn(window));
  await press(page, "Create links");
  await submit(page, { "Number of links": "1000" }, "Create", "1,000 links have been created.");
  const csv = await downloaded(page, () => page.getByText("Download as CSV").click());
  const lines = readFileSync(await csv.path(), "utf8").split("\r\n");
  expect(lines).toHaveLength(1_002);
  expect(lines[1]).toMatch(/^1,http:\/\/\S+\/claim#[\w-]{43},,/);
  await press(page, "Done");
  await press(page, "End 1,000 links");
  await page.getByLabel("Only the link with this number (optional)").fill("7");
  await press(page, "End links", "1 link has been ended.");
  await press(page, "End 1,000 links");
  await press(page, "End links", "999 links have been ended.");
  await page.getByText("Ended", { exact: true }).waitFor();
});

test("pressed again after a response was lost, or said that it failed, there is one batch", async () => {
  const keyId = await openNewKey(await newSignedIn(window));
  let next: "passed" | "refused" | "failed" | "lost" = "passed";
  let refusal: string | undefined;
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (next === "passed" || request.method() !== "POST") return route.continue();
    const postData = request.postData()?.replace('"links":"2"', next === "refused" ? '"links":"0"' : '"links":"2"');
    const [now, response] = [next, await route.fetch({ postData })];
    next = "passed";
    if (now === "lost") return route.abort();
    if (now === "refused") refusal = await response.text();
    const unsure = refusal?.replace('"error":', '"isUnsure":true,"error":');
    return route.fulfill({ response, body: now === "failed" ? unsure : refusal });
  });
  await press(page, "Create links");
  await fillIn(dialog, { "Number of links": "2" });
  const sentence = "This field must be";
  next = "refused";
  await press(page, "Create", sentence);
  // As a database says that goes away after it has stored the change.
  next = "failed";
  await press(page, "Create", sentence);
  next = "lost";
  await press(page, "Create", "The service could not be reached.");
  await press(page, "Create", "2 links have been created.");
  const csv = await downloaded(page, () => page.getByText("Download as CSV").click());
  const links = readFileSync(await csv.path(), "utf8").match(/(?<=claim#)[\w-]{43}/g) ?? [];
  const hashes = links.map((secret) => hashSecret(secret));
  expect(await db.claimLink.count({ where: { hash: { in: hashes } } })).toBe(2);
  expect(await db.claimBatch.count({ where: { keyId } })).toBe(1);
  await press(page, "Done");
  await page.unrouteAll();
});
