import { expect, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { revealToken } from "@/lib/accounts/token";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername, postPassword, signInByPassword } from "@/tests/support/user";
import { cookieOf, signedInAs, wordsOf } from "./confirming";
import { pickFiles, textFile } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { newKey } from "./keys-page";
import { startProgram } from "./link-program";
import { button, heading, press, pressTo, submit, told } from "./on-page";
import {
  atAccountOf,
  hashed,
  newSignedIn,
  newVisitor,
  openReady,
  openSessionIn,
  PASSWORD,
  submitAccount,
} from "./visitor";

const NEW = "another good password";
const shared = await newVisitor();
const { page, context, network } = shared;

test("shows the latest five events, and leads to all of 90 days, fifty a page", async () => {
  const user = await createUser({ username: newUsername() });
  const { id } = user;
  const events = () => page.getByRole("main").getByRole("listitem").count();
  const panel = page.getByRole("region", { name: "Activity" });
  const row = { at: new Date(), action: "token.rotate", subjectId: id, actorId: id, detail: "{}" };
  await db.auditEvent.createMany({ data: Array.from({ length: 60 }, () => row) });
  await openSessionIn(shared, user);
  await page.goto("/account");
  await expect.poll(() => panel.getByRole("listitem").count()).toBe(5);
  await panel.getByRole("link", { name: "All activity of the last 90 days" }).click();
  await heading(page, "Activity");
  await expect.poll(events).toBe(50);
  await page.getByRole("link", { name: "Older" }).click();
  await told(page, "Account created");
  await expect.poll(events).toBe(12);
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Newest" }).click();
  await page.getByRole("link", { name: "Older" }).waitFor();
  expect(await wordsOf("/account/activity?before=1", await cookieOf({ id }))).toContain("No more activity.");
  shared.expectCalm();
});

test("one other browser is signed out, all by a changed password; a deleted account tells its holders", async () => {
  const { username, id, token } = await newSignedIn(shared);
  const holder = await signedInAs("user");
  await newKey({ id, username }, { holders: [holder], name: "Shared" });
  const away = newNetwork().id;
  const [one, another] = [await cookieOf({ id }, away), await cookieOf({ id }, newNetwork().id)];
  const destination = async (Cookie: string) => (await ask("/account", { headers: { Cookie } })).headers.location;
  await openReady(page, "/account");
  await told(page, "No programs linked.");
  const signedIn = page.getByRole("region", { name: "Where you're signed in" });
  const other = signedIn.getByRole("listitem").filter({ hasText: away });
  await other.getByRole("button", { name: /^Sign out / }).click();
  await told(page.getByRole("status"), "has been signed out.");
  await other.waitFor({ state: "detached" });
  expect(await destination(one)).toContain("/signin?next=/account");
  expect(await destination(another)).toBeUndefined();

  await press(page, "Reveal", token);
  await page.getByLabel("Also rotate my token").check();
  await told(page, "Your current token stops working. If you've pasted it anywhere, replace it there.");
  await page.getByLabel("Current password").fill(PASSWORD);
  await submit(page, { "New password": NEW }, "Change password", "Your token has been rotated");
  await page.getByText(token).waitFor({ state: "detached" });
  const me = async (auth: string) => (await ask("/me", { query: { auth } })).body;
  expect((await me(token))?.code).toBe("invalid_token");
  expect((await me(await revealToken(id)))?.username).toBe(username);
  expect(await destination(another)).toContain("/signin?next=/account");
  expect((await postPassword(origin, username, NEW)).error).toBeNull();

  await press(page, "Delete account", "1 other holder loses access and will be told.");
  const dialog = page.getByRole("dialog", { name: "Delete your account?" });
  await submit(dialog, { "Your username": username, "Your password": NEW }, "Delete my account");
  await told(page, "Your account and everything in it have been deleted");
  expect(await wordsOf("/keys?list=given", holder.cookie)).toContain("and with it a key you held.");
  expect((await ask("/account/archive")).status).toBe(302);
});

test("a browser that signed in before is let in while strangers have locked the account, and no other", async () => {
  const { username } = await makeUser({ passwordHash: await hashed });
  const before = await signInByPassword(origin, username, PASSWORD);
  const [name = "", value = ""] =
    before
      .split("; ")
      .find((cookie) => /\.known=/.test(cookie))
      ?.split("=") ?? [];
  const guesses = Array.from({ length: 10 }, (_, n) => postPassword(origin, username, `wrong ${n}`, network));
  for (const { error } of await Promise.all(guesses)) expect(error).toBe("invalid");
  await page.goto("/signin?next=/account");
  await submitAccount(page, "Sign in", username);
  await told(page, "Too many failed sign-ins.");
  await context.addCookies([{ name, value, url: origin }]);
  await submitAccount(page, "Sign in", username);
  await atAccountOf(page, username);
  await told(page, new RegExp(`^Signed in with (?!an unknown browser).+, from ${network}$`));
  const cookie = (await context.cookies()).find((one) => one.name === name);
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
});

test("a page that was opened as somebody else does nothing for who is signed in now", async () => {
  const [anna, ben] = [await newSignedIn(shared), await makeUser()];
  const sentence = `You are now signed in as ${ben.username}.`;
  for (const one of [anna, ben]) await newKey(one);
  const program = await startProgram(network);
  const [files, link] = [await context.newPage(), await context.newPage()];
  await openReady(page, "/account");
  await openReady(files, "/files");
  // Until this is answered, that page does not refresh itself, and so does not find out by itself.
  await link.route("**/health", () => {});
  await link.goto(program.page);
  await button(link, "Link this program").waitFor();
  // As if the second person had signed in in another tab of the first one's browser.
  await openSessionIn(shared, ben);
  // Of a link, it is said in place of what was shown.
  await press(link, "Link this program", sentence);
  await link.unroute("**/health");
  await heading(link, sentence.slice(0, -1));
  await expectGoodLooks(link);
  expect((await program.poll())?.linked).toBe(false);
  expect(await db.linkEntry.count({ where: { userId: ben.id } })).toBe(0);
  await pressTo(link, `Continue as ${ben.username}`, `Link curl to ${ben.username}?`);
  await press(link, "Link this program");
  expect(await program.token()).toBe(ben.token);

  const before = await revealToken(ben.id);
  await press(page, "Rotate");
  await press(page, "Rotate token", sentence);
  await press(page, "Cancel");
  await page.getByLabel("Offer your key to").fill((await makeUser()).username);
  await press(page, "Offer", sentence);
  await pickFiles(files, textFile("hers.txt"));
  await told(files, sentence);
  expect(await revealToken(ben.id)).toBe(before);
  expect(await db.keyOffer.count({ where: { key: { creatorId: { in: [anna.id, ben.id] } } } })).toBe(0);
  expect(await db.fileDocument.count({ where: { userId: ben.id } })).toBe(0);
});
