import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { revealToken } from "@/lib/accounts/identity/token";
import { createRecoveryCodes } from "@/lib/accounts/ways-in/recovery/codes";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, signedIn, signInByPassword, type TestUser } from "@/tests/support/user";
import { atThisService, cookieOf, openLink } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { downloaded, enterInto, focused, heading, press, pressByKey, pressKeys, submit, told } from "./on-page";
import { byName, type Holder, leave, newPasskeyOwner, passkeyRows, pressPasskey } from "./passkey-holder";
import { atAccountOf, hashed, newSignedIn, newVisitor, openReady, PASSWORD } from "./visitor";

const NEW = "another horse battery";
const visitor = await newVisitor();
const { page, context, expectCalm } = visitor;
const newPassword = page.getByLabel("New password", { exact: true });

// Codes.

test("codes are shown once, after the password, to copy or download", async () => {
  const { username } = await newSignedIn(visitor);
  await openReady(page, "/account");
  const panel = page.getByRole("region", { name: "Recovery codes" });
  await told(panel, "You have no recovery codes.");
  await press(page, "Create recovery codes");
  const asking = page.getByRole("dialog", { name: "Create recovery codes" });
  await submit(asking, { "Your password": "not the password" }, "Create codes", "That is not your current password.");
  await enterInto(asking, { "Your password": PASSWORD });
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await told(shown, "They can't be shown again.");
  const codes = await shown.getByRole("listitem").allTextContents();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$/);
  await page.keyboard.press("Escape");
  await told(shown, "You'd lose these codes.");
  await expectGoodLooks(page, "dialog[open]");
  const questions: string[] = [];
  page.on("dialog", async (question) => {
    questions.push(question.type());
    await question.dismiss();
  });
  await page.evaluate(() => window.location.reload());
  await expect.poll(() => questions).toEqual(["beforeunload"]);
  await press(shown, "Copy", "Copied");
  const text = `Recovery codes of ${username}\n${new URL(page.url()).origin}/recover\n\n${codes.join("\n")}\n`;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  const file = await downloaded(page, () => shown.getByRole("link", { name: "Download" }).click());
  expect(file.suggestedFilename()).toBe(`latchkey-${username}-recovery-codes.txt`);
  expect(readFileSync(await file.path(), "utf8")).toBe(text);
  await press(page, "Done");
  await told(panel, "10 codes left");
  expect(await page.content()).not.toContain(codes[0]);
  expectCalm();
});

test("a code sets a new password, from the sign-in page, and signs all other browsers out", async () => {
  const user = await newSignedIn(visitor);
  const { id, username } = user;
  const [code] = await createRecoveryCodes(await signedIn(user), PASSWORD, { network: newNetwork() });
  await context.clearCookies();
  await page.goto("/signin");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await heading(page, "Forgot your password?");
  // By keyboard alone, as somebody copies it from paper.
  await page.getByLabel("Username").focus();
  await page.keyboard.type(username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(String(code).toLowerCase().replaceAll("-", " "));
  await page.keyboard.press("Enter");
  await told(page, `For the account ${username}.`);
  await expect.poll(() => focused(page)).toBe("Set a new password");
  await enterInto(page, { "New password": NEW });
  await atAccountOf(page, username);
  await told(page, "9 codes left");
  expectCalm();
  expect(await revealToken(id)).toBe(user.token);
  expect(await db.session.count({ where: { userId: id } })).toBe(1);
});

test("what the clipboard refuses is copied the old way, or by hand, and nothing of it stays in the page", async () => {
  const { page, token, expectCalm } = await newSignedIn();
  const dialog = page.getByRole("dialog");
  /** What can be pasted now, read past what a step of this test put in the clipboard's place. */
  const pasted = () =>
    page.evaluate(() => {
      const clipboard = Object.getOwnPropertyDescriptor(Navigator.prototype, "clipboard")?.get?.call(navigator);
      return clipboard.readText() as Promise<string>;
    });
  async function createCodes(button: string): Promise<string[]> {
    await press(page, button);
    await submit(dialog, { "Your password": PASSWORD }, "Create codes");
    await told(page, "They can't be shown again.");
    return dialog.getByRole("listitem").allTextContents();
  }
  await openReady(page, "/account");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Refused.", "NotAllowedError"));
  });
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  await told(page, "Copied");
  expect(await pasted()).toBe(token);

  // Over plain HTTP, browsers offer a page only the old way.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  let codes = await createCodes("Create recovery codes");
  await press(dialog, "Copy", "Copied");
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await page.locator(":focus").textContent()).toMatch(/^Cop(?:y|ied)$/);
  expect(await page.locator("textarea").count()).toBe(0);
  await press(page, "Done");
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(codes[0]);

  // Where the browser copies nothing, whatever it says.
  await page.evaluate(() => {
    document.execCommand = () => true;
  });
  codes = await createCodes("Create new codes");
  await press(dialog, "Copy", "Your browser blocked copying.");
  await expectGoodLooks(page);
  expect(await dialog.getByText("Copied").count()).toBe(0);
  await page.keyboard.press("Escape");
  await told(dialog, "You'd lose these codes.");
  const field = page.getByRole("textbox", { name: "Text to copy" });
  await field.focus();
  await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 5));
  await page.keyboard.press("Control+C");
  expect(await field.count()).toBe(1);
  await pressKeys(page, "Control+A", "Control+C");
  await told(dialog, "Copied");
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await field.count()).toBe(0);
  await press(page, "Done");
  expectCalm();
});

// Links.

const newLink = async (username: string) => (await atThisService(() => createRecoveryLink(username))).link;

test("by keyboard alone, a link sets a new password, rotates the token and signs others out, once", async () => {
  await context.clearCookies();
  const { id, username, token } = await makeUser({ passwordHash: await hashed });
  const cookie = await cookieOf({ id });
  const link = await newLink(username);
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await newPassword.waitFor();
  await expect.poll(() => focused(page)).toBe("Set a new password");
  await newPassword.focus();
  await page.keyboard.type(NEW);
  await pressKeys(page, "Tab", "Space");
  await told(page, "Your current token stops working");
  await pressByKey(page, "Set password");
  await atAccountOf(page, username);
  expect(await revealToken(id)).not.toBe(token);
  const { headers } = await ask("/account", { headers: { Cookie: cookie } });
  expect(headers.location).toContain("/signin");
  expect(await signInByPassword(origin, username, NEW)).toContain("session-token");
  await openLink(page, link, "It may have been used already");
  await expectGoodLooks(page);
});

async function openForm({ page, username }: Holder & TestUser) {
  await page.context().clearCookies({ name: /session-token/ });
  await page.goto(byName(await newLink(username)));
  expect(await page.content()).not.toContain(username);
  await press(page, "Continue");
  await page.getByLabel("New password", { exact: true }).waitFor();
}

test("a link creates a passkey instead of a password, or removes the passkeys, or keeps them", async () => {
  const owner = await newPasskeyOwner();
  const { page, device, id, username, expectCalm } = owner;
  const [former] = await device.credentialIds();

  // Cancelled, or known already: it changes nothing, and the link still works.
  await openForm(owner);
  await device.recognises(false);
  await press(page, "Use a passkey instead", "No passkey was created. Try again when you're ready.");
  await page.getByRole("checkbox", { name: /^Remove th/ }).uncheck();
  await device.recognises(true);
  await press(page, "Use a passkey instead", "This device or password manager already has a passkey for your account.");
  await submit(page, { "New password": NEW }, "Set password");
  await atAccountOf(page, username);
  expect(await passkeyRows(page).count()).toBe(1);

  await openForm(owner);
  await press(page, "Use a passkey instead");
  await atAccountOf(page, username);
  await heading(page, "Set a password");
  expect(await device.credentialIds()).not.toContain(former);
  await leave(owner);
  await pressPasskey(owner);
  await atAccountOf(page, username);

  const { name } = await db.passkey.findFirstOrThrow({ where: { userId: id } });
  await openForm(owner);
  await page.getByRole("listitem").filter({ hasText: name }).waitFor();
  await submit(page, { "New password": PASSWORD }, "Set password");
  await atAccountOf(page, username);
  expect(await passkeyRows(page).count()).toBe(0);
  await told(page, `Passkey removed: ${name}`, "New password set with a link, from");
  expectCalm();
});
