import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditTrail } from "@/lib/audit";
import { setDisabled } from "@/lib/auth/standing";
import { findUser } from "@/lib/user";
import { expectGoodLooks } from "./good-looks";
import { press, startProgram } from "./link-program";
import {
  byName,
  expectRefused,
  type Holder,
  leave,
  newHolder,
  passkeyRows,
  pressPasskey,
  signUpByPasskey,
} from "./passkey-holder";
import { launchBrowser } from "./person";
import { atAccountOf, newVisitor, PASSWORD, signIn, signUp, submitAccount } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const offer = (page: Page) => page.getByRole("complementary", { name: "Passkey" });
const addOnAccount = (page: Page) =>
  page.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Add a passkey" }).click();

/** Somebody with an account that has a password and one passkey. */
async function newOwner(): Promise<Holder & { username: string }> {
  const holder = await newHolder(browser);
  const username = await signUp(holder.page);
  await addOnAccount(holder.page);
  await passkeyRows(holder.page).waitFor();
  return { ...holder, username };
}

describe("signing in", () => {
  test("the field of the username offers a passkey, without any press of ours", async () => {
    const holder = await newHolder(browser, { offersInFields: true });
    const username = await signUpByPasskey(holder.page);
    await leave(holder);
    await atAccountOf(holder.page, username);
  });

  test("links a program with two touches, on a phone, without a password", async () => {
    const holder = await newHolder(browser, { viewport: { width: 375, height: 740 }, hasTouch: true });
    const { page, context, network, expectCalm } = holder;
    const username = await signUpByPasskey(page);
    await context.clearCookies({ name: /session-token/ });
    const program = await startProgram(network);
    await page.goto(`/link?code=${program.code}`);
    await page.getByRole("button", { name: "Continue", exact: true }).tap();
    await page.getByRole("heading", { name: "Sign in to continue" }).waitFor();
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Sign in with a passkey" }).tap();
    await page.getByRole("heading", { name: `Link curl to ${username}?`, exact: true }).waitFor();
    await press(page, "Link this program");
    expect(await program.token()).toMatch(/^lk_/);
    expectCalm();
  });

  test("cancelled, it says so, and the password still works", async () => {
    const owner = await newOwner();
    const { page, device, username } = owner;
    await leave(owner);
    await device.recognises(false);
    await pressPasskey(owner);
    await page.getByText("No passkey was used. Try again, or sign in another way.").waitFor();
    await submitAccount(page, "Sign in", username);
    await atAccountOf(page, username);
  });

  test("an answer that was sent once is useless afterwards", async () => {
    const owner = await newOwner();
    const { page, username } = owner;
    await leave(owner);
    const sent = page.waitForRequest((request) => request.url().endsWith("/api/auth/callback/passkey"));
    await pressPasskey(owner);
    const body = (await sent).postData() ?? "";
    await atAccountOf(page, username);
    await leave(owner);
    const answer = await page.evaluate(async (replayed) => {
      const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
      const fields = new URLSearchParams(replayed);
      fields.set("csrfToken", csrfToken);
      const response = await fetch("/api/auth/callback/passkey", { method: "POST", body: fields });
      return { status: response.status, text: await response.text() };
    }, body);
    expect(answer.status).toBe(401);
    expect(answer.text).toContain("passkey_expired");
  });

  test("of a copied passkey, only the one with the higher count gets in", async () => {
    const owner = await newOwner();
    const { page, device, username } = owner;
    const [copy] = await device.credentials();
    if (!copy) throw new Error("there is no passkey to copy");
    for (let round = 0; round < 2; round++) {
      await leave(owner);
      await pressPasskey(owner);
      await atAccountOf(page, username);
    }
    await leave(owner);
    await device.putBack(copy);
    await pressPasskey(owner);
    await expectRefused(owner);
    const [event] = await auditTrail({ subjectId: (await findUser(username)).id }, 1);
    expect(event).toMatchObject({ action: "passkey.refuse", actor: null });
  });

  test("a disabled account cannot use its passkey", async () => {
    const owner = await newOwner();
    await leave(owner);
    await setDisabled(owner.username, true);
    await pressPasskey(owner);
    await owner.page.getByText("This account is disabled.").waitFor();
  });
});

describe("the account page", () => {
  test("adds, renames and removes passkeys; a removed one signs nobody in", async () => {
    const owner = await newOwner();
    const { page, device, expectCalm } = owner;
    const rows = passkeyRows(page);
    await rows.getByText(/never used/).waitFor();
    await rows.getByRole("button", { name: /^Rename / }).click();
    const renaming = page.getByRole("dialog", { name: "Rename the passkey" });
    await renaming.getByLabel("Name").fill("\u2800");
    await renaming.getByRole("button", { name: "Rename" }).click();
    await renaming.getByText("The name must be 1 to 40 printable characters").waitFor();
    await renaming.getByLabel("Name").fill("A laptop with quite a long name, in here");
    await expectGoodLooks(page);
    await renaming.getByRole("button", { name: "Rename" }).click();
    await rows.getByText("A laptop with quite a long name, in here").waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await expectGoodLooks(page);

    await addOnAccount(page);
    await page.getByText("This device or password manager already has a passkey for your account.").waitFor();
    await rows.getByRole("button", { name: /^Remove / }).click();
    const removing = page.getByRole("dialog", { name: /^Remove A laptop/ });
    await expectGoodLooks(page);
    await removing.getByRole("button", { name: "Remove", exact: true }).click();
    await rows.waitFor({ state: "detached" });
    expect(await device.credentials()).toHaveLength(1);
    expectCalm();
    await leave(owner);
    await pressPasskey(owner);
    await expectRefused(owner);
  });

  test("keeps the last way in", async () => {
    const holder = await newHolder(browser);
    const { page } = holder;
    await signUpByPasskey(page);
    await passkeyRows(page)
      .getByRole("button", { name: /^Remove / })
      .click();
    const removing = page.getByRole("dialog", { name: /^Remove / });
    await removing.getByRole("button", { name: "Remove", exact: true }).click();
    await removing.getByText("This is your only way to sign in. Set a password first.").waitFor();
    await removing.getByRole("button", { name: "Cancel" }).click();
    await page.getByLabel("New password").fill(PASSWORD);
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Change your password" }).waitFor();
    await passkeyRows(page)
      .getByRole("button", { name: /^Remove / })
      .click();
    await removing.getByRole("button", { name: "Remove", exact: true }).click();
    await passkeyRows(page).waitFor({ state: "detached" });
  });
});

describe("signing up", () => {
  test("with a taken name says so before the device asks, and without a name, too", async () => {
    const { page } = await newHolder(browser);
    const { username } = await newOwner();
    await page.goto("/signup");
    await expectGoodLooks(page);
    await page.getByRole("button", { name: "Use a passkey instead" }).click();
    await page.getByText("A username has 3 to 20 characters").waitFor();
    await page.getByLabel("Username").fill(username);
    await page.getByRole("button", { name: "Use a passkey instead" }).click();
    await page.getByText(`The username ${username} is taken.`).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("username");
  });

  test("cancelled, it creates no account", async () => {
    const { page, device } = await newHolder(browser);
    await device.recognises(false);
    await page.goto("/signup");
    await page.getByLabel("Username").fill("cancelled-by-nobody");
    await page.getByRole("button", { name: "Use a passkey instead" }).click();
    await page.getByText("No passkey was created.").waitFor();
    await expect(findUser("cancelled-by-nobody")).rejects.toMatchObject({ code: "user_not_found" });
  });
});

describe("the offer after typing a password", () => {
  test("is made once, and adds a passkey with one press", async () => {
    const { page, expectCalm } = await newHolder(browser);
    await signUp(page);
    await offer(page).getByText("Sign in with a touch next time").waitFor();
    await expectGoodLooks(page);
    await offer(page).getByRole("button", { name: "Add a passkey" }).click();
    await offer(page).waitFor({ state: "detached" });
    await passkeyRows(page).waitFor();
    expectCalm();
  });

  test("declined, it stays away; it is never on the page of a link", async () => {
    const holder = await newHolder(browser);
    const { page, context } = holder;
    const username = await signUp(page);
    await offer(page).waitFor();
    await page.goto("/link");
    await page.getByRole("heading", { name: "Link a program" }).waitFor();
    expect(await offer(page).count()).toBe(0);
    await page.goto("/");
    await offer(page).getByRole("button", { name: "Not now" }).click();
    await offer(page).waitFor({ state: "detached" });
    await context.clearCookies({ name: /session-token/ });
    await signIn(page, username);
    expect(await offer(page).count()).toBe(0);
  });
});

test("an address of numbers has no passkeys, and its page says why", async () => {
  const numbers = byName().replace("localhost", "127.0.0.1");
  const { page } = await newVisitor(browser, undefined, { baseURL: numbers });
  await page.goto("/signin");
  await page.getByRole("heading", { name: "Sign in", exact: true }).waitFor();
  const isNamed = (await page.getByRole("button", { name: "Sign in with a passkey" }).count()) > 0;
  // With NEXTAUTH_URL, the service knows its name, whatever the address that somebody typed.
  if (isNamed) return;
  await signUp(page);
  await page.getByText("Passkeys need a name instead of 127.0.0.1.").waitFor();
  await expectGoodLooks(page);
});
