import type { Page } from "playwright";
import { expect, test } from "vitest";
import { createRecoveryLink } from "@/lib/accounts/recovery/links";
import { revealToken } from "@/lib/accounts/token";
import { db } from "@/lib/platform/db/client";
import { origin } from "@/tests/support/http";
import { makeUser, signInByPassword, type TestUser } from "@/tests/support/user";
import { atThisService, openLink } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { expectFocusOn, focused, heading, press, pressKeys, pressTo, told } from "./on-page";
import { byName, type Holder, leave, newPasskeyOwner, passkeyRows, pressPasskey } from "./passkey-holder";
import { atAccountOf, newSignedIn, newVisitor, PASSWORD } from "./visitor";

const NEW = "another horse battery";

/** Somebody who forgot the password. */
const { page, context, expectCalm } = await newVisitor();
const newLink = async (username: string) => (await atThisService(() => createRecoveryLink(username))).link;
const field = (on = page) => on.getByLabel("New password", { exact: true });

test("by keyboard alone, a link sets a new password, rotates the token and signs others out, once", async () => {
  const { id, username, page: elsewhere } = await newSignedIn();
  const link = await newLink(username);
  const sent: string[] = [];
  const secret = new URL(link).hash.slice(1);
  page.on("request", (request) => sent.push(request.url(), request.headers().referer ?? ""));
  const token = await revealToken(id);
  await page.goto(link);
  await page.getByRole("button", { name: "Continue" }).press("Enter");
  await field().waitFor();
  await expect.poll(() => focused(page)).toBe("Set a new password");
  await field().focus();
  await page.keyboard.type("short");
  await pressKeys(page, "Tab", "Space");
  await told(page, "Your current token stops working");
  await page.getByRole("button", { name: "Set password" }).click({ trial: true });
  await page.keyboard.press("Enter");
  await told(page, "A password needs at least 8 characters.");
  await expectFocusOn(field());
  await field().fill(NEW);
  await press(page, "Set password");
  await atAccountOf(page, username);
  expect(await revealToken(id)).not.toBe(token);
  expect(sent.filter((text) => text.includes(secret))).toEqual([]);
  expectCalm();

  expect((await elsewhere.request.get("/account")).url()).toContain("/signin");
  expect(await signInByPassword(origin, username, NEW)).toContain("session-token");
  await openLink(page, link, "It may have been used already");
  await expectGoodLooks(page);
});

test("a link that was replaced, even meanwhile, is incomplete or invented gets the same page", async () => {
  await context.clearCookies();
  const { id: userId, username } = await makeUser();
  const replaced = await newLink(username);
  const link = await newLink(username);
  const invented = link.replace(/#.*/, `#${"x".repeat(9_999)}`);
  for (const bad of [link.replace(/#.*/, ""), replaced, link.slice(0, -1), invented]) {
    await page.goto(bad);
    await pressTo(page, "Continue", "This link doesn't work");
  }
  expect(await db.recoveryLink.count({ where: { userId } })).toBe(1);
  await openLink(page, link);
  await field().fill(NEW);
  await newLink(username);
  await pressTo(page, "Set password", "This link doesn't work");
});

const setPassword = async (page: Page, password: string) => {
  await field(page).fill(password);
  await press(page, "Set password");
};
const removing = (page: Page) => page.getByRole("checkbox", { name: /^Remove th/ });

async function openForm({ page, username }: Holder & TestUser) {
  await page.context().clearCookies({ name: /session-token/ });
  await page.goto(byName(await newLink(username)));
  expect(await page.content()).not.toContain(username);
  await press(page, "Continue");
  await field(page).waitFor();
}

test("a link creates a passkey instead of a password, or removes the passkeys, or keeps them", async () => {
  const owner = await newPasskeyOwner();
  const { page, device, id, username, expectCalm } = owner;
  const [former] = await device.credentialIds();

  // Cancelled, or known already: it changes nothing, and the link still works.
  await openForm(owner);
  expect(await removing(page).isChecked()).toBe(true);
  await device.recognises(false);
  await press(page, "Use a passkey instead", "No passkey was created. Try again when you're ready.");
  expect(await db.passkey.count({ where: { userId: id } })).toBe(1);
  await removing(page).uncheck();
  await device.recognises(true);
  await press(page, "Use a passkey instead", "This device or password manager already has a passkey for your account.");
  await expectGoodLooks(page);
  await setPassword(page, NEW);
  await atAccountOf(page, username);
  expect(await passkeyRows(page).count()).toBe(1);

  await openForm(owner);
  await press(page, "Use a passkey instead");
  await atAccountOf(page, username);
  expect(await passkeyRows(page).count()).toBe(1);
  await heading(page, "Set a password");
  await told(page, "New passkey set with a link, from");
  expect(await device.credentialIds()).not.toContain(former);
  await leave(owner);
  await pressPasskey(owner);
  await atAccountOf(page, username);

  const { name } = await db.passkey.findFirstOrThrow({ where: { userId: id } });
  await openForm(owner);
  await page.getByRole("listitem").filter({ hasText: name }).waitFor();
  await setPassword(page, PASSWORD);
  await atAccountOf(page, username);
  expect(await passkeyRows(page).count()).toBe(0);
  await told(page, `Passkey removed: ${name}`, "New password set with a link, from");
  expectCalm();
});
