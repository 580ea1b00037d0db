import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { revealToken } from "@/lib/auth/rotate-token";
import { db } from "@/lib/db/client";
import { createRecoveryCodes } from "@/lib/recovery/recovery-codes";
import { findUser } from "@/lib/user";
import { newNetwork } from "@/tests/support/network";
import { newUsername, signedIn } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { atAccountOf, newMember, newVisitor, PASSWORD, submitAccount, type Visitor } from "./visitor";

const NEW = "another horse battery";
const CODE = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){5}$/;

let visitor: Visitor;
let page: Page;
let username: string;
let id: string;
let stranger: Visitor;
openForEach(
  async (browser) => ({ ...(await newMember(browser)), stranger: await newVisitor(browser) }),
  (member) => {
    visitor = member;
    ({ page, username, stranger } = member);
  },
);
beforeEach(async () => {
  ({ id } = await findUser(username));
  return () => stranger.context.close();
});

const press = (name: string, on = page) => on.getByRole("button", { name, exact: true }).click();
const panel = () => page.getByRole("region", { name: "Recovery codes" });
const someCodes = async () => createRecoveryCodes(await signedIn({ id, username }), PASSWORD, newNetwork());

async function submitCode(on: Page, name: string, code: string) {
  await on.getByLabel("Username").fill(name);
  await on.getByLabel("Recovery code").fill(code);
  await press("Continue", on);
}

async function setPassword(on: Page, password: string) {
  await on.getByLabel("New password", { exact: true }).fill(password);
  await press("Set password", on);
}

describe("recovery codes", () => {
  test("are shown once, after the password, to copy, download or print", async () => {
    await panel().getByText("You have no recovery codes.").waitFor();
    await press("Create recovery codes");
    const asking = page.getByRole("dialog", { name: "Create recovery codes" });
    await asking.getByLabel("Your password").fill("not the password");
    await press("Create codes");
    await asking.getByText("That is not your current password.").waitFor();
    await expectGoodLooks(page);
    await asking.getByLabel("Your password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "Your recovery codes" });
    await shown.getByText("They can't be shown again.").waitFor();
    await expectGoodLooks(page);
    const codes = await shown.getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(CODE);
    await page.keyboard.press("Escape");
    await shown.getByText("You'd lose these codes.").waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await shown.getByRole("button", { name: "I've saved them" }).waitFor();
    await expectGoodLooks(page);
    const questions: string[] = [];
    page.on("dialog", async (question) => {
      questions.push(question.type());
      await question.dismiss();
    });
    await page.evaluate(() => window.location.reload());
    await expect.poll(() => questions).toEqual(["beforeunload"]);
    await shown.getByRole("button", { name: "Copy" }).click();
    await shown.getByText("Copied").waitFor();
    const text = `Recovery codes of ${username}\n${new URL(page.url()).origin}/recover\n\n${codes.join("\n")}\n`;
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      shown.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`latchkey-${username}-recovery-codes.txt`);
    expect(readFileSync(await download.path(), "utf8")).toBe(text);
    await page.emulateMedia({ media: "print" });
    await page.getByText(`Recovery codes of ${username}`).waitFor();
    await expect.poll(() => page.getByText("Done", { exact: true }).isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await press("Done");
    await panel().getByText("10 codes left").waitFor();
    await expectGoodLooks(page);
    expect(await page.content()).not.toContain(codes[0]);
    visitor.expectCalm();

    await press("Create new codes");
    await page.getByText("The 10 that are left will no longer work.").waitFor();
    await press("Cancel");
  });

  test("one of them sets a new password, from the sign-in page, and signs all other browsers out", async () => {
    const [code] = await someCodes();
    const token = await revealToken(id);
    const { page: there } = stranger;
    await there.goto("/signin");
    await expectGoodLooks(there);
    await there.getByRole("link", { name: "Forgot your password?" }).click();
    await there.getByRole("heading", { level: 1, name: "Forgot your password?" }).waitFor();
    await expectGoodLooks(there);
    await submitCode(there, username, String(code).toLowerCase().replaceAll("-", " "));
    await there.getByText(`For the account ${username}.`).waitFor();
    await expect.poll(() => there.evaluate(() => document.activeElement?.textContent)).toBe("Set a new password");
    await expectGoodLooks(there);
    await setPassword(there, "short");
    await there.getByText("A password needs at least 8 characters.").waitFor();
    await setPassword(there, NEW);
    await atAccountOf(there, username);
    await there.getByText("9 codes left").waitFor();
    stranger.expectCalm();
    expect(await revealToken(id)).toBe(token);
    await page.goto("/account");
    await page.waitForURL(/\/signin/);
    await submitAccount(page, "Sign in", username, NEW);
    await atAccountOf(page, username);
  });

  test("a wrong one gets the same words for a user and for nobody", async () => {
    await someCodes();
    const { page: there } = stranger;
    await there.goto("/recover");
    const sentence = "The username or the code is wrong, or the code was used already.";
    for (const name of [username, newUsername()]) {
      await submitCode(there, name, "0000-0000-0000-0000-0000-0000");
      await there.getByText(sentence).waitFor();
      await expect.poll(() => there.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("code");
      if (name === username) await expectGoodLooks(there);
      await there.getByLabel("Recovery code").fill("other");
      await there.getByText(sentence).waitFor({ state: "detached" });
    }
    expect(await db.recoveryCode.count({ where: { userId: id } })).toBe(10);
  });

  test("one that ended while somebody typed says so, and the account is named only after a right one", async () => {
    const [code] = await someCodes();
    const { page: there } = stranger;
    await there.goto("/recover");
    expect(await there.content()).not.toContain(username);
    await submitCode(there, username, String(code));
    await there.getByText(`For the account ${username}.`).waitFor();
    await someCodes();
    await setPassword(there, NEW);
    await there.getByText("The username or the code is wrong, or the code was used already.").waitFor();
    await expectGoodLooks(there);
  });

  test("work with the keyboard alone", async () => {
    const [code] = await someCodes();
    const { page: there } = stranger;
    await there.goto("/recover");
    await there.getByLabel("Username").focus();
    await there.keyboard.type(username);
    await there.keyboard.press("Tab");
    await there.keyboard.type(String(code));
    await there.keyboard.press("Enter");
    await there.getByLabel("New password", { exact: true }).waitFor();
    await there.keyboard.press("Tab");
    await there.keyboard.type(NEW);
    await there.keyboard.press("Enter");
    await atAccountOf(there, username);
  });

  test("are offered after signing up, but not in the way of a link", async () => {
    const { page: there } = stranger;
    const name = newUsername();
    await there.goto("/signup");
    await submitAccount(there, "Sign up", name);
    await atAccountOf(there, name);
    await there.getByText("Your account is ready.").waitFor();
    await expectGoodLooks(there);
    await there.getByRole("link", { name: "create recovery codes" }).click();
    await expect.poll(() => there.evaluate(() => window.location.hash)).toBe("#recovery-codes");
    await page.goto("/account");
    expect(await page.getByText("Your account is ready.").count()).toBe(0);
  });
});
