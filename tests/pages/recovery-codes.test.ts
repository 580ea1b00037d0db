import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRecoveryCodes } from "@/lib/accounts/recovery/codes";
import { revealToken } from "@/lib/accounts/token";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { newUsername, signedIn } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { button, downloaded, enterInto, focused, heading, press, pressKeys, submit, told } from "./on-page";
import { atAccountOf, newSignedIn, newVisitor, openReady, PASSWORD } from "./visitor";

const opened = await newVisitor();
const { page, context, expectCalm } = opened;

const NEW = "another horse battery";
const CODE = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$/;
const WRONG = "The username or the code is wrong, or the code was used already.";

const codesOf = async (user: { id: string; username: string }) =>
  createRecoveryCodes(await signedIn(user), PASSWORD, { network: newNetwork() });

async function submitCode(name: string, code: string) {
  await submit(page, { Username: name, "Recovery code": code }, "Continue");
}

test("codes are shown once, after the password, to copy, download or print", async () => {
  const { username } = await newSignedIn(opened);
  await openReady(page, "/account");
  await told(page, "Passkeys need a name instead of 127.0.0.1.");
  const panel = page.getByRole("region", { name: "Recovery codes" });
  await told(panel, "You have no recovery codes.");
  await press(page, "Create recovery codes");
  const asking = page.getByRole("dialog", { name: "Create recovery codes" });
  await submit(asking, { "Your password": "not the password" }, "Create codes");
  await told(asking, "That is not your current password.");
  await enterInto(asking, { "Your password": PASSWORD });
  const shown = page.getByRole("dialog", { name: "Your recovery codes" });
  await told(shown, "They can't be shown again.");
  const codes = await shown.getByRole("listitem").allTextContents();
  expect(codes).toHaveLength(10);
  for (const code of codes) expect(code).toMatch(CODE);
  await page.keyboard.press("Escape");
  await told(shown, "You'd lose these codes.");
  await pressKeys(page, "Escape", "Escape");
  await shown.getByRole("button", { name: "I've saved them" }).waitFor();
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
  await page.emulateMedia({ media: "print" });
  await told(page, `Recovery codes of ${username}`);
  await expect.poll(() => page.getByText("Done", { exact: true }).isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await press(page, "Done");
  await told(panel, "10 codes left");
  expect(await page.content()).not.toContain(codes[0]);
  expectCalm();

  await press(page, "Create new codes", "Your remaining 10 codes will stop working.");
  await press(page, "Cancel");
});

test("a code sets a new password, from the sign-in page, and signs all other browsers out", async () => {
  const user = await newSignedIn(opened);
  const { id, username } = user;
  const [code] = await codesOf(user);
  const token = await revealToken(id);
  await context.clearCookies();
  await page.goto("/signin");
  expect(await button(page, "Sign in with a passkey").count()).toBe(0);
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
  await page.getByLabel("New password", { exact: true }).focus();
  await page.keyboard.type(NEW);
  await button(page, "Set password").click({ trial: true });
  await page.keyboard.press("Enter");
  await atAccountOf(page, username);
  await told(page, "9 codes left");
  expectCalm();
  expect(await revealToken(id)).toBe(token);
  expect(await db.session.count({ where: { userId: id } })).toBe(1);
});

test("a wrong code gets the same words for a user, for nobody, and for one that ended meanwhile", async () => {
  const user = await newSignedIn(opened);
  const { id, username } = user;
  const [code] = await codesOf(user);
  await context.clearCookies();
  await page.goto("/recover");
  expect(await page.content()).not.toContain(username);
  for (const name of [newUsername(), username]) {
    await submitCode(name, "0000-0000-0000-0000-0000-0000");
    await told(page, WRONG);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("code");
    if (name === username) await expectGoodLooks(page);
    await page.getByLabel("Recovery code").fill("other");
    await page.getByText(WRONG).waitFor({ state: "detached" });
  }
  expect(await db.recoveryCode.count({ where: { userId: id } })).toBe(10);

  await submitCode(username, String(code));
  await told(page, `For the account ${username}.`);
  await codesOf(user);
  await submit(page, { "New password": NEW }, "Set password", WRONG);
});
