import { useSyncExternalStore } from "react";
import type { Outcome } from "../action";
import {
  acceptedPasskeys,
  addCreatedPasskey,
  confirmWithResponse,
  optionsToAdd,
  optionsToConfirm,
  optionsToSignIn,
  optionsToSignUp,
} from "./passkey-actions";
import { signInBy } from "./sign-in";

/** Loaded when needed: most pages open without it. */
export const webauthn = () => import("./webauthn");

const NOT_USED = "No passkey was used. Try again, or sign in another way.";
const NOT_CONFIRMED = "No passkey was used. Try again.";
export const NO_SUPPORT = "This browser can't use passkeys.";

/** Whether the browser has passkeys at all, in pages with https. True while the page is loaded. */
export function useCanPasskeys(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => "PublicKeyCredential" in window && Boolean(navigator.credentials),
    () => true,
  );
}

/** Asks for a passkey in the browser's own dialog, and signs in with it. */
export async function signInWithPasskey(): Promise<Outcome<void>> {
  const { askForPasskey, WebAuthnAbortService } = await webauthn();
  WebAuthnAbortService.cancelCeremony();
  const requested = await optionsToSignIn();
  if ("error" in requested) return requested;
  return signInWith(await askForPasskey({ optionsJSON: requested.ok }, NOT_USED));
}

/**
 * Lets the browser offer passkeys in the username field. Resolves once one was selected there, with what signs in with
 * it; or with null if there are none to offer, or another request replaced it. `mayStart` is called again at the last
 * moment: a browser has one request at a time, and this one must not end one that somebody started by a press.
 */
export async function passkeyFromField(mayStart: () => boolean): Promise<(() => Promise<Outcome<void>>) | null> {
  try {
    const { askForPasskey, browserSupportsWebAuthnAutofill } = await webauthn();
    if (!(await browserSupportsWebAuthnAutofill())) return null;
    const requested = await optionsToSignIn();
    if ("error" in requested || !mayStart()) return null;
    const answer = await askForPasskey({ optionsJSON: requested.ok, useBrowserAutofill: true }, NOT_USED);
    return "error" in answer ? null : () => signInWith(answer);
  } catch {
    return null;
  }
}

/** Stops offering passkeys in the username field. */
export async function stopOffering(): Promise<void> {
  (await webauthn()).WebAuthnAbortService.cancelCeremony();
}

/** Creates an account with a passkey instead of a password, and signs in. */
export async function signUpWithNewPasskey(username: string): Promise<Outcome<void>> {
  const requested = await optionsToSignUp(username);
  if ("error" in requested) return requested;
  const { options, userId } = requested.ok;
  return (await webauthn()).createAndStore(options, (created) =>
    signInBy("passkey", { answer: JSON.stringify(created), username: username.trim(), userId }),
  );
}

/** Confirms that the signed-in user is here, with a passkey of theirs. */
export async function confirmWithPasskey(): Promise<Outcome<void>> {
  const requested = await optionsToConfirm();
  if ("error" in requested) return requested;
  const answer = await (await webauthn()).askForPasskey({ optionsJSON: requested.ok }, NOT_CONFIRMED);
  return "error" in answer ? answer : confirmWithResponse(answer.ok);
}

/** What is said once a passkey of this name was added. */
export const passkeyAdded = (name: string) => `${name} has been added. You can now sign in with it.`;

/** Creates another passkey for the signed-in user. Returns its name. */
export async function createPasskey(): Promise<Outcome<string>> {
  const requested = await optionsToAdd();
  if ("error" in requested) return requested;
  return (await webauthn()).createAndStore(requested.ok, addCreatedPasskey);
}

async function signInWith(answer: Outcome<{ id: string }>): Promise<Outcome<void>> {
  if ("error" in answer) return answer;
  const signedIn = await signInBy("passkey", { answer: JSON.stringify(answer.ok) });
  if ("error" in signedIn && signedIn.code === "passkey_unknown") await (await webauthn()).signalUnknown(answer.ok.id);
  return signedIn;
}

/** Tells the browser which passkeys of the signed-in user there are, so that it offers no others. */
export async function signalPasskeys(): Promise<void> {
  const accepted = await acceptedPasskeys();
  if ("ok" in accepted) await (await webauthn()).signalAccepted(accepted.ok);
}
