import type { BrowserContextOptions, Page } from "playwright";
import { origin } from "@/tests/support/http";
import { newUsername, type TestUser } from "@/tests/support/user";
import { atAccountOf, makeSignedIn, newVisitor, openReady, type Visitor } from "./visitor";

/** The service by name: browsers have no passkeys for an address of numbers. */
export const byName = (address = origin) => address.replace("127.0.0.1", "localhost");

export type Holder = Visitor & { device: Awaited<ReturnType<typeof addDevice>> };

/**
 * A visitor whose browser has an authenticator, at the service's name. As a virtual one takes every offer in a field by
 * itself, this browser offers none there, like older ones; `offersInFields` is for the test of that.
 */
export async function newHolder({
  offersInFields = false,
  ...options
}: BrowserContextOptions & { offersInFields?: boolean } = {}): Promise<Holder> {
  const visitor = await newVisitor(undefined, { baseURL: byName(), ...options });
  if (!offersInFields)
    await visitor.context.addInitScript("PublicKeyCredential.isConditionalMediationAvailable = async () => false");
  return { ...visitor, device: await addDevice(visitor.page) };
}

/** The browser's virtual authenticator. It confirms every request at once. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** The person is recognised by finger, face or PIN, or not. */
    recognises: async (isUserVerified: boolean) =>
      void (await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified })),
    async credentialIds() {
      const { credentials } = await session.send("WebAuthn.getCredentials", { authenticatorId });
      return credentials.map(({ credentialId }) => credentialId);
    },
  };
}

/** Creates an account with a passkey only, and ends on its page. Returns the username. */
export async function signUpByPasskey(page: Page): Promise<string> {
  const username = newUsername();
  await page.goto("/signup?next=/account");
  await page.getByLabel("Username").fill(username);
  await page.getByRole("button", { name: "Use a passkey instead" }).click();
  await atAccountOf(page, username);
  return username;
}

/** Somebody who is signed in to an account with a password and one passkey, and looks at its page. */
export async function newPasskeyOwner(): Promise<Holder & TestUser> {
  const holder = await newHolder();
  const user = await makeSignedIn(holder, byName());
  await openReady(holder.page, "/account");
  await addOnAccount(holder.page);
  await passkeyRows(holder.page).waitFor();
  return { ...holder, ...user };
}

/** Adds the device's passkey on the account page. */
export const addOnAccount = (page: Page) =>
  page.getByRole("region", { name: "Passkeys" }).getByRole("button", { name: "Add a passkey" }).click();

/** Signs out, and opens the page to sign in. */
export async function leave({ page, context }: Holder): Promise<void> {
  await context.clearCookies({ name: /session-token/ });
  await page.goto("/signin?next=/account");
}

/** Presses the button, and lets the device confirm it. */
export const pressPasskey = ({ page }: Holder) => page.getByRole("button", { name: "Sign in with a passkey" }).click();

/** The rows of the account page. */
export const passkeyRows = (page: Page) => page.getByRole("region", { name: "Passkeys" }).getByRole("listitem");

/** Asks to remove the only one of them. */
export const removePasskey = (page: Page) =>
  passkeyRows(page)
    .getByRole("button", { name: /^Remove / })
    .click();
