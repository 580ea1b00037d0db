import type { Browser, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findUser } from "@/lib/user";
import { makeUser } from "@/tests/support/user";
import { confirmOn, identityDialog, letProofsPass } from "./confirming";
import { row, textFile, uploadFiles } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newHolder, passkeyRows, signUpByPasskey } from "./passkey-holder";
import { newMember, newVisitor, openReady, PASSWORD, revealedToken, signIn, type Visitor } from "./visitor";

let browser: Browser;
let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member, opened) => {
  browser = opened;
  visitor = member;
  ({ page, username } = member);
});

const letTimePass = (name = username) => letProofsPass(name);
const dialog = () => identityDialog(page);
const confirm = (password = PASSWORD) => confirmOn(page, password);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const token = () => page.getByText(/^lk_[\w-]{43}$/);
const focused = () => page.evaluate(() => document.activeElement?.textContent);

describe("the dialog", () => {
  test("asks once in ten minutes, keeps a wrong password, and then goes on by itself", async () => {
    await revealedToken(page);
    expect(await dialog().count()).toBe(0);
    await letTimePass();
    await page.reload();
    await button("Reveal").click();
    await dialog().getByText("Enter your password to continue.").waitFor();
    await dialog().getByText("It can't stop someone who talks you into confirming something").waitFor();
    await expectGoodLooks(page);
    await confirm("not my password");
    await dialog().getByText("That is not your current password.").waitFor();
    expect(await dialog().getByLabel("Your password").inputValue()).toBe("not my password");
    await expectGoodLooks(page);
    expect(await token().count()).toBe(0);
    await confirm();
    await token().waitFor();
    await button("Hide").click();
    await button("Rotate").click();
    await page.getByRole("button", { name: "Rotate token" }).click();
    await page.getByText("This is your new token.").waitFor();
    expect(await dialog().count()).toBe(0);
    visitor.expectCalm();
  });

  test("works with the keyboard alone, and gives the focus back", async () => {
    await letTimePass();
    await button("Reveal").focus();
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Reveal");
    expect(await page.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0);
    await page.keyboard.press("Enter");
    await dialog().waitFor();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await token().waitFor();
    await expect.poll(focused).toBe("Hide");
  });

  test("keeps what was typed in the form that asked", async () => {
    await letTimePass();
    await button("New token").click();
    const form = page.getByRole("dialog", { name: "New token" });
    await form.getByLabel("Name", { exact: true }).fill("Nightly backup");
    await page.getByRole("radio", { name: "In 30 days" }).check();
    await button("Create token").click();
    await dialog().waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Nightly backup");
    await button("Create token").click();
    await confirm();
    await page.getByRole("dialog", { name: "Token of Nightly backup" }).waitFor();
    const [made] = await db.accessToken.findMany({ where: { userId: (await findUser(username)).id } });
    expect(made?.expiresAt).not.toBeNull();
  });

  test("in another browser is asked for there, too", async () => {
    const { page: elsewhere } = await newVisitor(browser);
    await signIn(elsewhere, username);
    await letTimePass();
    await button("Reveal").click();
    await confirm();
    await token().waitFor();
    await elsewhere.getByRole("button", { name: "Reveal" }).click();
    await identityDialog(elsewhere).waitFor();
  });
});

describe("what asks", () => {
  test("the export of everything, before it starts; its address alone says what to do", async () => {
    await letTimePass();
    const direct = await page.evaluate(async () => {
      const answer = await fetch("/account/archive");
      return { status: answer.status, text: await answer.text() };
    });
    expect(direct).toEqual({ status: 403, text: expect.stringContaining("Confirm it's you first") });
    await page.getByRole("link", { name: "Download everything" }).click();
    await dialog().waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), confirm()]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
  });

  test("a list of keys and all files, before they start; their addresses alone get nothing", async () => {
    await page.goto("/files");
    await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
    await page
      .getByLabel("Files to upload")
      .setInputFiles([{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") }]);
    await page.getByRole("link", { name: "notes.txt" }).waitFor();
    await letTimePass();
    const direct = (path: string) =>
      page.evaluate(async (asked) => {
        const answer = await fetch(asked);
        return { status: answer.status, text: await answer.text() };
      }, path);
    for (const path of ["/keys.csv", "/files/export"])
      expect(await direct(path)).toEqual({ status: 403, text: expect.stringContaining("Confirm it's you first") });
    await button("Export").click();
    await dialog().waitFor();
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await page.getByRole("dialog").count()).toBe(0);
    await button("Export").click();
    const [document] = await Promise.all([page.waitForEvent("download"), confirm()]);
    expect(document.suggestedFilename()).toBe(`${username}-files.json`);

    await createKey(await findUser(username), { data: "a secret", name: "Engine", price: "0" });
    await letTimePass();
    await openReady(page, "/keys");
    await page.getByRole("link", { name: "Download as CSV" }).click();
    const [list] = await Promise.all([page.waitForEvent("download"), confirm()]);
    expect(list.suggestedFilename()).toBe(`keys-of-${username}.csv`);
  });

  test("handing keys over, a ZIP, deleting several files, an import: nothing typed or selected is lost", async () => {
    await createKey(await findUser(username), { data: "a secret", name: "Engine", price: "0" });
    const { username: next } = await makeUser();
    await openReady(page, "/account");
    await letTimePass();
    const field = page.getByLabel("Offer your key to");
    await field.fill(next);
    await button("Offer").click();
    await dialog().waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    await expect.poll(focused).toBe("Offer");
    expect(await field.inputValue()).toBe(next);
    expect(await db.keyOffer.count({ where: { user: { username: next } } })).toBe(0);
    await page.keyboard.press("Enter");
    await confirm();
    await page.getByText(`Offered to ${next}.`).waitFor();

    await openReady(page, "/files");
    await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
    await letTimePass();
    await row(page, "a.txt").click();
    await row(page, "b.txt").click({ modifiers: ["Control"] });
    await page.getByRole("toolbar").getByRole("button", { name: "Download" }).click();
    const [zip] = await Promise.all([page.waitForEvent("download"), confirm()]);
    expect(zip.suggestedFilename()).toMatch(/\.zip$/);
    await page.getByRole("button", { name: "Done" }).click();
    await letTimePass();
    await page.getByRole("toolbar").getByRole("button", { name: "Delete" }).click();
    await dialog().waitFor();
    expect(await row(page, "a.txt").count()).toBe(1);
    await confirm();
    await row(page, "a.txt").waitFor({ state: "detached" });
    await letTimePass();
    await button("Import").click();
    await page.getByLabel("Document", { exact: true }).setInputFiles(textFile("not-a-document.json"));
    await page.getByLabel("I understand that my current files").check();
    await button("Replace everything").click();
    await confirm();
    await page.getByText("Your files are unchanged.").waitFor();
    expect(await page.getByLabel("I understand that my current files").isChecked()).toBe(true);
  });

  test("rotating, but nothing that an alarmed user does, nor forms with the password", async () => {
    const { page: elsewhere } = await newVisitor(browser);
    await signIn(elsewhere, username);
    await letTimePass();
    await page.reload();
    await button("Sign out other browsers").click();
    await page.getByText("All other browsers have been signed out.").waitFor();
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByLabel("New password").fill("another horse battery");
    await button("Change password").click();
    await page.getByText("Password changed.").waitFor();
    await button("Reveal").click();
    await token().waitFor();
    expect(await dialog().count()).toBe(0);
    await letTimePass();
    await button("Rotate").click();
    await page.getByRole("button", { name: "Rotate token" }).click();
    await confirm("another horse battery");
    await page.getByText("This is your new token.").waitFor();
  });
});

describe("with a passkey and no password", () => {
  test("one touch reveals, adds and removes; cancelled, it says so", async () => {
    const { page: own, device, expectCalm } = await newHolder(browser);
    const name = await signUpByPasskey(own);
    await letTimePass(name);
    await own.getByRole("button", { name: "Reveal" }).click();
    await identityDialog(own).getByText("Use a passkey to continue.").waitFor();
    await expectGoodLooks(own);
    await device.recognises(false);
    await identityDialog(own).getByRole("button", { name: "Use a passkey" }).click();
    await identityDialog(own).getByText("No passkey was used. Try again.").waitFor();
    await device.recognises(true);
    await identityDialog(own).getByRole("button", { name: "Use a passkey" }).click();
    await own.getByText(/^lk_[\w-]{43}$/).waitFor();
    await letTimePass(name);
    await own.getByLabel("New password").fill(PASSWORD);
    await own.getByRole("button", { name: "Set password" }).click();
    await identityDialog(own).getByRole("button", { name: "Use a passkey" }).click();
    await own.getByRole("heading", { name: "Change your password" }).waitFor();
    await letTimePass(name);
    await passkeyRows(own)
      .getByRole("button", { name: /^Remove / })
      .click();
    await own.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await identityDialog(own).getByText("Use a passkey or your password to continue.").waitFor();
    await expectGoodLooks(own);
    await identityDialog(own).getByRole("button", { name: "Use a passkey" }).click();
    await passkeyRows(own).waitFor({ state: "detached" });
    await letTimePass(name);
    await own.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Add a passkey" }).click();
    await identityDialog(own).getByLabel("Your password").fill(PASSWORD);
    await identityDialog(own).getByRole("button", { name: "Confirm", exact: true }).click();
    await passkeyRows(own).waitFor();
    expectCalm();
  });
});
