import { whyFailed } from "@/components/feedback/why-failed";
import type { Outcome } from "../outcome";
import { signInBy } from "../signin/sign-in";
import {
  addCreatedPasskey,
  confirmWithResponse,
  optionsToAdd,
  optionsToConfirm,
  optionsToSignIn,
  optionsToSignUp,
} from "./actions";

/** Loaded when needed: most pages open without it. */
export const webauthn = () => import("@simplewebauthn/browser");

const NOT_USED = "No passkey was used. Try again, or sign in another way.";
const NOT_CONFIRMED = "No passkey was used. Try again.";
export const NOT_CREATED = "No passkey was created. Try again when you're ready.";
const NO_SUPPORT = "This browser can't use passkeys.";
const ALREADY_HERE = "This device or password manager already has a passkey for your account.";

/** Asks for a passkey in the browser's own dialog, and signs in with it. */
export async function signInWithPasskey(): Promise<Outcome<void>> {
  return attempt(NOT_USED, async () => {
    await stopOffering();
    const requested = await optionsToSignIn();
    if ("error" in requested) return requested;
    const { startAuthentication } = await webauthn();
    return signInWith(await startAuthentication({ optionsJSON: requested.ok }));
  });
}

/**
 * Lets the browser offer passkeys in the username field. Resolves once one was selected there, with what signs in with
 * it; or with null if there are none to offer, or another request replaced it. `mayStart` is called again at the last
 * moment: a browser has one request at a time, and this one must not end one that somebody started by a press.
 */
export async function passkeyFromField(mayStart: () => boolean): Promise<(() => Promise<Outcome<void>>) | null> {
  try {
    const { browserSupportsWebAuthnAutofill, startAuthentication } = await webauthn();
    if (!(await browserSupportsWebAuthnAutofill())) return null;
    const requested = await optionsToSignIn();
    if ("error" in requested || !mayStart()) return null;
    const response = await startAuthentication({ optionsJSON: requested.ok, useBrowserAutofill: true });
    return () => signInWith(response);
  } catch {
    return null;
  }
}

/** Stops offering passkeys in the username field. */
export async function stopOffering(): Promise<void> {
  const { WebAuthnAbortService } = await webauthn();
  WebAuthnAbortService.cancelCeremony();
}

/** Creates an account with a passkey instead of a password, and signs in. */
export async function signUpWithNewPasskey(username: string): Promise<Outcome<void>> {
  return attempt(NOT_CREATED, async () => {
    const requested = await optionsToSignUp(username);
    if ("error" in requested) return requested;
    const { startRegistration } = await webauthn();
    const { options, userId } = requested.ok;
    const response = await startRegistration({ optionsJSON: options });
    return signInWith(response, { username: username.trim(), userId });
  });
}

/** Confirms that the signed-in user is here, with a passkey of theirs. */
export async function confirmWithPasskey(): Promise<Outcome<void>> {
  return attempt(NOT_CONFIRMED, async () => {
    const requested = await optionsToConfirm();
    if ("error" in requested) return requested;
    const { startAuthentication } = await webauthn();
    return confirmWithResponse(await startAuthentication({ optionsJSON: requested.ok }));
  });
}

/** Creates another passkey for the signed-in user. Returns its name. */
export async function createPasskey(): Promise<Outcome<string>> {
  return attempt(NOT_CREATED, async () => {
    const requested = await optionsToAdd();
    if ("error" in requested) return requested;
    const { startRegistration } = await webauthn();
    return addCreatedPasskey(await startRegistration({ optionsJSON: requested.ok }));
  });
}

const signInWith = (response: object, fields: Record<string, string> = {}) =>
  signInBy("passkey", { answer: JSON.stringify(response), ...fields });

/** Browsers do not say whether somebody cancelled, waited too long, or has no passkey: it is one `refusal`. */
export async function attempt<T>(refusal: string, work: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  if (!("PublicKeyCredential" in window)) return { error: NO_SUPPORT };
  try {
    return await work();
  } catch (error) {
    const { WebAuthnError } = await webauthn().catch(() => ({ WebAuthnError: null }));
    if (WebAuthnError && error instanceof WebAuthnError)
      return { error: error.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED" ? ALREADY_HERE : refusal };
    // The browser's own errors, where the package has no better one.
    return { error: error instanceof DOMException ? refusal : await whyFailed(error) };
  }
}
