import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { findUser } from "@/lib/accounts/identity/user";
import { db } from "@/lib/platform/db/client";
import { makeUser, newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { startProgram } from "./link-program";
import { button, heading, press, submit, told } from "./on-page";
import {
  addOnAccount,
  byName,
  leave,
  newHolder,
  newPasskeyOwner,
  passkeyRows,
  pressPasskey,
  removePasskey,
  signUpByPasskey,
} from "./passkey-holder";
import {
  atAccountOf,
  makeSignedIn,
  newVisitor,
  openReady,
  PASSWORD,
  signUp,
  submitAccount,
  untilReady,
} from "./visitor";

const offer = (page: Page) => page.getByRole("complementary", { name: "Passkey" });

test("a passkey links a program with two touches, on a phone, without a password", async () => {
  const holder = await newHolder({ viewport: { width: 375, height: 740 }, hasTouch: true });
  const { page, context, network, expectCalm } = holder;
  const username = await signUpByPasskey(page);
  await context.clearCookies({ name: /session-token/ });
  const program = await startProgram(network);
  await page.goto(`/link?code=${program.code}`);
  await button(page, "Continue").tap();
  await heading(page, "Sign in to continue");
  await button(page, "Sign in with a passkey").tap();
  await heading(page, `Link curl to ${username}?`);
  await press(page, "Link this program");
  expect(await program.token()).toMatch(/^lk_/);
  expectCalm();
});

describe("the account page", () => {
  test("adds, renames and removes passkeys; one that is not used or was removed signs nobody in", async () => {
    const owner = await newPasskeyOwner();
    const { page, device, username, expectCalm } = owner;
    const rows = passkeyRows(page);
    const name = "A laptop with quite a long name, in here";
    await told(rows, /never used/);
    await rows.getByRole("button", { name: /^Rename / }).click();
    await submit(page.getByRole("dialog", { name: "Rename the passkey" }), { Name: name }, "Rename");
    await told(rows, name);
    await expectGoodLooks(page);

    await addOnAccount(page);
    await told(page, "This device or password manager already has a passkey for your account.");
    await leave(owner);
    await device.recognises(false);
    await pressPasskey(owner);
    await told(page, "No passkey was used. Try again, or sign in another way.");
    await device.recognises(true);
    expectCalm();
    await submitAccount(page, "Sign in", username);
    await atAccountOf(page, username);
    await removePasskey(page);
    await press(page.getByRole("dialog", { name: /^Remove A laptop/ }), "Remove");
    await rows.waitFor({ state: "detached" });
    // The device is told, and offers it no more.
    await expect.poll(() => device.credentialIds()).toEqual([]);
  });

  test("a passkey that is not known here, as after a restore, signs nobody in, and the device forgets it", async () => {
    const owner = await newPasskeyOwner();
    const { page, device, username } = owner;
    await leave(owner);
    await db.passkey.deleteMany({ where: { user: { username } } });
    await pressPasskey(owner);
    await told(page, "This passkey isn't known here. It may have been removed from the account.");
    await expect.poll(() => device.credentialIds()).toEqual([]);
  });

  test("of an account with a passkey alone keeps this way in, offered in the field of the username", async () => {
    const holder = await newHolder({ offersInFields: true });
    const { page, expectCalm } = holder;
    const username = await signUpByPasskey(page);
    await heading(page, "Set a password");
    // Signs in without any press of ours.
    await leave(holder);
    await atAccountOf(page, username);
    await told(passkeyRows(page), /last used/);
    await removePasskey(page);
    const removing = page.getByRole("dialog", { name: /^Remove / });
    await press(removing, "Remove", "This is your only way to sign in. Set a password first.");
    await press(removing, "Cancel");
    await submit(page, { "New password": PASSWORD }, "Set password");
    await heading(page, "Change your password");
    expectCalm();
  });
});

test.each([
  ["passkeys", "delete globalThis.PublicKeyCredential"],
  ["credentials", "Object.defineProperty(navigator, 'credentials', { value: undefined })"],
])("a browser without %s is offered no passkeys, and the account page says so", async (_, script) => {
  const visitor = await newVisitor(undefined, { baseURL: byName() });
  const { page, context, expectCalm } = visitor;
  await context.addInitScript(script);
  const offers = page.getByRole("button", { name: /passkey/ });
  for (const path of ["/signin", "/signup"]) {
    await openReady(page, path);
    await expect.poll(() => offers.count()).toBe(0);
  }
  await makeSignedIn(visitor, byName());
  await openReady(page, "/account");
  await told(page.getByRole("region", { name: "Passkeys" }), "This browser can't use passkeys.");
  expect(await offers.count()).toBe(0);
  expectCalm();
});

test("answers without extension results count; a password manager's own error is not the network's", async () => {
  const owner = await newPasskeyOwner();
  const { page, context, username, expectCalm } = owner;
  await context.addInitScript(() => {
    const own = navigator.credentials.get.bind(navigator.credentials);
    navigator.credentials.get = async (options) => {
      if (location.hash === "#broken") throw new TypeError("an error of its own");
      const answer = await own(options);
      return answer && Object.assign(answer, { getClientExtensionResults: undefined });
    };
  });
  await leave(owner);
  // The page's router writes the address when it begins.
  await untilReady(page);
  await page.evaluate(() => {
    location.hash = "broken";
  });
  await pressPasskey(owner);
  await told(page, "Your browser or password manager stopped with an error of its own.");
  await page.evaluate(() => {
    location.hash = "";
  });
  await pressPasskey(owner);
  await atAccountOf(page, username);
  expectCalm();
});

test("a password manager that lets nobody replace the browser's functions signs in nevertheless", async () => {
  const owner = await newPasskeyOwner();
  const { page, context, username, expectCalm } = owner;
  await context.addInitScript(() => {
    for (const method of ["get", "create"] as const)
      Object.defineProperty(navigator.credentials, method, {
        value: navigator.credentials[method].bind(navigator.credentials),
      });
  });
  await leave(owner);
  await pressPasskey(owner);
  await atAccountOf(page, username);
  expectCalm();
});

test("signing up with no name or a taken one says so before the device asks; a password gets an offer", async () => {
  const { page, device, expectCalm } = await newHolder();
  const { username } = await makeUser();
  await page.goto("/signup");
  await press(page, "Use a passkey instead", "A username has 3 to 20 characters");
  await submit(page, { Username: username }, "Use a passkey instead", `The username ${username} is taken.`);
  await device.recognises(false);
  await submit(page, { Username: "cancelled-by-nobody" }, "Use a passkey instead", "No passkey was created.");
  await expect(findUser("cancelled-by-nobody")).rejects.toMatchObject({ code: "user_not_found" });

  await device.recognises(true);
  await submitAccount(page, "Sign up", newUsername());
  await told(offer(page), "Sign in with a touch next time");
  await expectGoodLooks(page);
  await press(offer(page), "Add a passkey");
  await offer(page).waitFor({ state: "detached" });
  await passkeyRows(page).waitFor();
  expectCalm();
});

test("the offer stays away once it was declined; it is never on the page of a link", async () => {
  const { page, context } = await newHolder();
  const username = await signUp(page);
  await offer(page).waitFor();
  await page.goto("/link");
  await heading(page, "Link a program");
  expect(await offer(page).count()).toBe(0);
  await page.goto("/");
  await press(offer(page), "Not now");
  await offer(page).waitFor({ state: "detached" });
  await context.clearCookies({ name: /session-token/ });
  await page.goto("/signin?next=/account");
  await submitAccount(page, "Sign in", username);
  await atAccountOf(page, username);
  expect(await offer(page).count()).toBe(0);
});
