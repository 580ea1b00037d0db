import type { Browser, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { PROOF_MS } from "@/lib/auth/recent-proof";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { expectGoodLooks } from "./good-looks";
import { press, startProgram } from "./link-program";
import { openForEach } from "./open-for-each";
import { newHolder, passkeyRows, signUpByPasskey } from "./passkey-holder";
import { newMember, newVisitor, PASSWORD, revealedToken, signIn, type Visitor } from "./visitor";

let browser: Browser;
let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member, opened) => {
  browser = opened;
  visitor = member;
  ({ page, username } = member);
});

/** As if everything that proved somebody had been ten minutes ago. */
async function letTimePass(name = username): Promise<void> {
  const { id: userId } = await findUser(name);
  await db.session.updateMany({
    where: { userId },
    data: { createdAt: new Date(Date.now() - PROOF_MS), provenAt: null },
  });
}

const dialogOn = (where: Page) => where.getByRole("dialog", { name: "Confirm it's you" });
const dialog = () => dialogOn(page);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const token = () => page.getByText(/^lk_[\w-]{43}$/);
const focused = () => page.evaluate(() => document.activeElement?.textContent);

async function confirm(password = PASSWORD): Promise<void> {
  await dialog().getByLabel("Your password").fill(password);
  await dialog().getByRole("button", { name: "Confirm", exact: true }).click();
}

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
    await dialogOn(elsewhere).waitFor();
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
    await dialogOn(own).getByText("Use a passkey to continue.").waitFor();
    await expectGoodLooks(own);
    await device.recognises(false);
    await dialogOn(own).getByRole("button", { name: "Use a passkey" }).click();
    await dialogOn(own).getByText("No passkey was used. Try again.").waitFor();
    await device.recognises(true);
    await dialogOn(own).getByRole("button", { name: "Use a passkey" }).click();
    await own.getByText(/^lk_[\w-]{43}$/).waitFor();
    await letTimePass(name);
    await own.getByLabel("New password").fill(PASSWORD);
    await own.getByRole("button", { name: "Set password" }).click();
    await dialogOn(own).getByRole("button", { name: "Use a passkey" }).click();
    await own.getByRole("heading", { name: "Change your password" }).waitFor();
    await letTimePass(name);
    await passkeyRows(own)
      .getByRole("button", { name: /^Remove / })
      .click();
    await own.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await dialogOn(own).getByText("Use a passkey or your password to continue.").waitFor();
    await expectGoodLooks(own);
    await dialogOn(own).getByRole("button", { name: "Use a passkey" }).click();
    await passkeyRows(own).waitFor({ state: "detached" });
    await letTimePass(name);
    await own.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Add a passkey" }).click();
    await dialogOn(own).getByLabel("Your password").fill(PASSWORD);
    await dialogOn(own).getByRole("button", { name: "Confirm", exact: true }).click();
    await passkeyRows(own).waitFor();
    expectCalm();
  });
});

describe("the link page", () => {
  async function startAsking(network: string) {
    const program = await startProgram(network);
    await page.goto(program.page);
    await button("Link this program").waitFor();
    return program;
  }

  test("asks where the code came from another network, and keeps the decision", async () => {
    const program = await startAsking(newNetwork().id);
    await letTimePass();
    await page.locator("summary").filter({ hasText: "Change" }).click();
    await page.getByRole("radio", { name: "Know who you are" }).check();
    await press(page, "Link this program");
    await dialog().getByText("such as a code").waitFor();
    await expectGoodLooks(page);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    expect((await program.poll())?.linked).toBe(false);
    expect(await page.getByRole("radio", { name: "Know who you are" }).isChecked()).toBe(true);
    await press(page, "Link this program");
    await confirm();
    await page.getByRole("heading", { name: /^(Go back to your program|Your program is linked)$/ }).waitFor();
    expect(await program.token()).toMatch(/^lkt_/);
    visitor.expectCalm();
  });

  test("asks nobody on the program's own network, and nobody who denies", async () => {
    const own = await startAsking(visitor.network);
    await letTimePass();
    await press(page, "Link this program");
    expect(await own.token()).toMatch(/^lk_/);
    expect(await dialog().count()).toBe(0);
    await startAsking(newNetwork().id);
    await press(page, "Deny");
    await page.getByRole("heading", { name: /denied/i }).waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test("asks before a program on another network is allowed, and not before it is turned away", async () => {
    const program = await startAsking(visitor.network);
    await press(page, "Link this program");
    const [stranger, moved] = [newNetwork().id, newNetwork().id];
    const poll = async (network: string) =>
      (await ask("/link/user", { query: { code: program.code }, network })).body?.linked;
    await poll(stranger);
    await button("Don't allow").waitFor();
    await letTimePass();
    await button("Don't allow").click();
    await button("Don't allow").waitFor({ state: "detached" });
    await poll(moved);
    await button("Allow").click();
    await dialog().waitFor();
    expect(await poll(moved)).toBe(false);
    await confirm();
    await page.getByText("You have allowed it.").waitFor();
    expect(await poll(moved)).toBe(true);
  });
});
