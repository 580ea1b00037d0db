import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { revealToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findUser } from "@/lib/user";
import { makeKeys } from "@/tests/keys/make-keys";
import { ask } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { press, startProgram } from "./link-program";
import { launchBrowser, newPerson, type Person } from "./person";
import { newMember, newVisitor, openReady, PASSWORD, revealedToken, signIn, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

test(
  "a changed password takes a stolen token along where its owner wants that, and the page shows no old " + "one",
  async () => {
    const { page, username } = await newMember(browser);
    const stolen = await revealedToken(page);
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another good password");
    await page.getByLabel("Also rotate my token").check();
    await page.getByText("Your current token stops working. If you've pasted it anywhere, replace it there.").waitFor();
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Your token has been rotated").waitFor();
    expect((await me(stolen))?.code).toBe("invalid_token");
    await page.getByText(stolen).waitFor({ state: "detached" });
    expect((await me(await revealedToken(page)))?.username).toBe(username);
  },
);

test("a browser that signed in before is let in while strangers have locked the account, and no other", async () => {
  const { page, username, network } = await newMember(browser);
  await page.goto("/account");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/");
  const stranger = await newVisitor(browser, network);
  await stranger.page.goto("/signin?next=/account");
  for (let guess = 0; guess < 10; guess++) {
    await submitAccount(stranger.page, "Sign in", username, `wrong password ${guess}`);
    await stranger.page.getByText("The username or the password is wrong.").waitFor();
    await stranger.page.reload();
  }
  await submitAccount(stranger.page, "Sign in", username, PASSWORD);
  await stranger.page.getByText("Too many failed sign-ins.").waitFor();
  await signIn(page, username);
  const cookie = (await page.context().cookies()).find(({ name }) => name.endsWith(".known"));
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax" });
});

test("a giver is blocked with all keys that came from there, and unblocked again", async () => {
  const { page, username } = await newMember(browser);
  const { id } = await findUser(username);
  const [giver, friend] = [await makeUser(), await makeUser()];
  await makeKeys(giver, { id, username: "", token: "" }, 31);
  await makeKeys(friend, { id, username: "", token: "" }, 1);
  await page.goto("/keys?list=given");
  await page
    .getByRole("button", { name: `Block ${giver.username}` })
    .first()
    .click();
  const dialog = page.getByRole("dialog", { name: `Block ${giver.username}?` });
  await dialog.getByRole("button", { name: "Block and leave all 31 keys" }).click();
  await page.getByText(`${giver.username} is blocked, and you left 31 keys.`).waitFor();
  expect(await db.holder.count({ where: { userId: id } })).toBe(1);
  const blocked = page.getByRole("list", { name: "Blocked people" });
  await blocked.getByText(giver.username).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  await page.getByRole("button", { name: `Unblock ${giver.username}` }).click();
  await page.getByText(`${giver.username} can add you to keys again.`).waitFor();
  await blocked.waitFor({ state: "detached" });
  expect(await db.blockedGiver.count({ where: { userId: id } })).toBe(0);

  await page.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText(`${giver.username} is blocked again.`).waitFor();
  await blocked.getByText(giver.username).waitFor();
  expect(await page.getByText(`${giver.username} can add you to keys again.`).count()).toBe(0);
  expect(await db.blockedGiver.count({ where: { userId: id } })).toBe(1);
  expect(await db.holder.count({ where: { userId: id } })).toBe(1);
});

describe("a page that was opened as somebody else", () => {
  /** As if the second person had signed in in another tab of the first one's browser. */
  async function switched() {
    const [anna, ben] = [await newPerson(browser), await newPerson(browser)];
    const session = async () => {
      const cookies = await ben.context.cookies();
      await anna.context.addCookies(cookies.filter(({ name }) => name.endsWith("session-token")));
    };
    return { anna, ben, session };
  }
  const sentence = ({ username }: Person) => `You are now signed in as ${username}.`;

  test("does nothing for who is signed in now, on any page", async () => {
    const { anna, ben, session } = await switched();
    const { page } = anna;
    const keys = await Promise.all([anna, ben].map((one) => createKey(one, { data: "x", price: "1", name: "One" })));
    const tab = await anna.context.newPage();
    await openReady(page, "/account");
    await openReady(tab, "/files");
    await session();
    const before = await revealToken(ben.id);
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("button", { name: "Rotate token" }).click();
    await page.getByText(sentence(ben)).waitFor();
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("Offer your key to").fill((await makeUser()).username);
    await page.getByRole("button", { name: "Offer", exact: true }).click();
    await page.getByText(sentence(ben)).first().waitFor();
    await tab
      .getByLabel("Files to upload")
      .setInputFiles([{ name: "hers.txt", mimeType: "text/plain", buffer: Buffer.from("hers") }]);
    await tab.getByText(sentence(ben)).waitFor();
    expect(await revealToken(ben.id)).toBe(before);
    expect(await db.keyOffer.count({ where: { keyId: { in: keys.map(({ id }) => id) } } })).toBe(0);
    expect(await db.fileDocument.count({ where: { userId: ben.id } })).toBe(0);
  });

  test("links nothing, and says so in place of what it showed", async () => {
    const { anna, ben, session } = await switched();
    const { page, network } = anna;
    const program = await startProgram(network);
    await page.goto(program.page);
    await page.getByRole("button", { name: "Link this program" }).waitFor();
    await session();
    await press(page, "Link this program");
    await page.getByText(sentence(ben)).first().waitFor();
    await page.getByRole("heading", { name: sentence(ben).slice(0, -1) }).waitFor();
    await expectGoodLooks(page);
    expect((await program.poll())?.linked).toBe(false);
    expect(await db.linkEntry.count({ where: { userId: ben.id } })).toBe(0);
    await page.getByRole("button", { name: `Continue as ${ben.username}` }).click();
    await page.getByRole("heading", { name: `Link curl to ${ben.username}?` }).waitFor();
    await press(page, "Link this program");
    expect(await program.token()).toBe(ben.token);
  });
});
