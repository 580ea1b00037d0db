import type { Page, Route } from "playwright";
import { describe, expect, test } from "vitest";
import { MAX_PASSKEYS } from "@/lib/accounts/ways-in/passkeys/list";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { makeUser, newUsername } from "@/tests/support/user";
import { atThisService, openLink } from "./confirming";
import { press, submit, told } from "./on-page";
import { addOnAccount, byName, type Holder, newHolder, newPasskeyOwner, passkeyRows } from "./passkey-holder";
import { makeSignedIn, openReady, PASSWORD } from "./visitor";

/** Does this to the requests that send a passkey that the device has just created. */
const onSending = (page: Page, act: (route: Route) => Promise<void>) =>
  page.route(/./, (route) =>
    route.request().postData()?.includes("attestationObject") ? act(route) : route.fallback(),
  );

/** Does this before the device's new passkey arrives. Returns a check that it has created one, and forgets it. */
async function expectForgottenAfter({ page, device }: Holder, meanwhile: () => Promise<unknown>) {
  let sent = 0;
  await onSending(page, async (route) => {
    sent++;
    await meanwhile();
    await route.fallback();
  });
  return async () => {
    await expect.poll(() => device.credentialIds()).toEqual([]);
    expect(sent).toBe(1);
  };
}

test("the device forgets the passkeys of a deleted account, and none before it is deleted", async () => {
  const { page, device, username } = await newPasskeyOwner();
  await press(page, "Delete account");
  const dialog = page.getByRole("dialog");
  await submit(dialog, { "Your username": "another", "Your password": PASSWORD }, "Delete my account");
  await told(dialog, "That isn't your username.");
  expect(await device.credentialIds()).toHaveLength(1);
  await submit(dialog, { "Your username": username }, "Delete my account");
  await told(page, "Your account and everything in it have been deleted");
  await expect.poll(() => device.credentialIds()).toEqual([]);
});

test("an account is deleted although a password manager never answers the signal", async () => {
  const { page, context, username } = await newPasskeyOwner();
  await context.addInitScript("PublicKeyCredential.signalAllAcceptedCredentials = () => new Promise(() => {})");
  await openReady(page, "/account");
  await press(page, "Delete account");
  await submit(page.getByRole("dialog"), { "Your username": username, "Your password": PASSWORD }, "Delete my account");
  await told(page, "Your account and everything in it have been deleted");
});

describe("the device forgets a passkey that it created in vain", () => {
  test("for a username that was taken meanwhile", async () => {
    const holder = await newHolder();
    const { page } = holder;
    const username = newUsername();
    const expectForgotten = await expectForgottenAfter(holder, () => makeUser({ username }));
    await openReady(page, "/signup");
    await submit(page, { Username: username }, "Use a passkey instead", "This username has just been taken.");
    await expectForgotten();
  });

  test("with a link that was replaced meanwhile, or for an account with too many", async () => {
    const holder = await newHolder();
    const { page, device } = holder;
    const { id, username } = await makeUser();
    await fill(id);
    const newLink = () => atThisService(() => createRecoveryLink(username));
    await openLink(page, byName((await newLink()).link), "Set a new password");
    await page.getByLabel("Remove these passkeys").uncheck();
    await press(page, "Use a passkey instead", "An account can have 20 passkeys at most.");
    await expect.poll(() => device.credentialIds()).toEqual([]);
    const expectForgotten = await expectForgottenAfter(holder, newLink);
    await press(page, "Use a passkey instead", "It may have been used already");
    await expectForgotten();
  });
});

describe("the device keeps a passkey that may be stored", () => {
  test("where the response was lost, or the browser keeps no session", async () => {
    const { page, device, username } = await signUpWhere((route) => route.abort());
    await told(page, "The service could not be reached.");
    expect(await device.credentialIds()).toHaveLength(1);
    expect(await db.passkey.count({ where: { user: { username } } })).toBe(1);

    const other = await signUpWhere((route) => route.continue(), "{}");
    await told(other.page, "Your browser doesn't keep this service's cookies");
    expect(await other.device.credentialIds()).toHaveLength(1);
    expect(await db.passkey.count({ where: { user: { username: other.username } } })).toBe(1);
  });

  test("where a browser repeated the request", async () => {
    const holder = await newHolder();
    const { page, device } = holder;
    await makeSignedIn(holder, byName());
    await openReady(page, "/account");
    await onSending(page, async (route) => {
      await route.fetch();
      await route.continue();
    });
    await addOnAccount(page);
    await told(page, "The request for your passkey has expired.");
    expect(await device.credentialIds()).toHaveLength(1);
    await page.reload();
    await passkeyRows(page).waitFor();
  });

  test("where the page asked which there are before it was stored", async () => {
    const holder = await newHolder();
    const { page, device } = holder;
    await makeSignedIn(holder, byName());
    let asks = 0;
    await page.exposeFunction("untilAsked", async () => {
      await expect.poll(() => asks).toBe(1);
    });
    await page.addInitScript(() => {
      const own = navigator.credentials.create.bind(navigator.credentials);
      navigator.credentials.create = async (options) => {
        await Reflect.get(window, "untilAsked")();
        return own(options);
      };
    });
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/account")),
      openReady(page, "/account"),
    ]);
    await asked.response();
    const asksWhich = asked.headers()["next-action"];
    await page.route("**/account", async (route) => {
      const isAsking = route.request().headers()["next-action"] === asksWhich;
      // The service names the browser at the first press, and the page, made anew, asks while the device creates.
      if (isAsking && asks++ === 0) await expect.poll(() => device.credentialIds()).toHaveLength(1);
      await route.fallback();
    });
    await addOnAccount(page);
    await passkeyRows(page).waitFor();
    await expect.poll(() => asks).toBe(2);
    expect(await device.credentialIds()).toHaveLength(1);
  });
});

/** Signs up with a passkey. `respond` sends, or loses, what the service answered; `session`: what it says of that. */
async function signUpWhere(respond: (route: Route) => Promise<void>, session?: string) {
  const holder = await newHolder();
  const { page } = holder;
  const username = newUsername();
  await onSending(page, async (route) => {
    if (session === undefined) await route.fetch();
    await respond(route);
  });
  if (session !== undefined) await page.route("**/api/auth/session", (route) => route.fulfill({ body: session }));
  await openReady(page, "/signup");
  await submit(page, { Username: username }, "Use a passkey instead");
  return { ...holder, username };
}

/** Gives an account as many passkeys as it can have, on other devices. */
async function fill(userId: string): Promise<void> {
  const passkeys = Array.from({ length: MAX_PASSKEYS }, (_, n) => ({
    id: newId(),
    credentialId: newId(),
    name: `${n}`,
  }));
  const rest = { userId, host: "localhost", publicKey: new Uint8Array(1), counter: 0n, transports: "" };
  await db.passkey.createMany({ data: passkeys.map((passkey) => ({ ...passkey, ...rest, createdAt: new Date() })) });
}
