import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type { Outcome } from "../action";
import type { acceptedPasskeys } from "./passkey-actions";
import { signInSentence } from "./sentences";

export { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";

const BROKEN =
  "Your browser or password manager stopped with an error of its own. Try again, or use another browser or passkey.";
const NOT_CREATED = "No passkey was created. Try again when you're ready.";
const ALREADY_HERE = "This device or password manager already has a passkey for your account.";

completeAnswers();

/** The answers of some password managers have no extension results, for which the package asks. We use none. */
function completeAnswers(): void {
  const { credentials } = navigator;
  for (const method of ["get", "create"] as const) {
    try {
      const own = credentials[method].bind(credentials);
      const value = async (options?: object) => {
        const answer = await own(options);
        if (answer && !("getClientExtensionResults" in answer && answer.getClientExtensionResults))
          Object.defineProperty(answer, "getClientExtensionResults", { value: () => ({}) });
        return answer;
      };
      Object.defineProperty(credentials, method, { value, configurable: true, writable: true });
    } catch {
      // A password manager lets nobody replace its own, or there are none. Most answers need no completion.
    }
  }
}

type HowToAsk = Parameters<typeof startAuthentication>[0];
type HowToRegister = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** Asks the browser for a passkey. `refusal`: what is said if none is used. */
export const askForPasskey = (how: HowToAsk, refusal: string): Promise<Outcome<AuthenticationResponseJSON>> =>
  startAuthentication(how).then((ok) => ({ ok }), reasonOr(refusal));

/** Codes of refusals after which the passkey may be stored: by the same request, or the first of a repeated one. */
const MAY_BE_STORED = ["passkey_known", "passkey_expired", "cookies", "unavailable", ""].map(signInSentence);

/** How many passkeys are being created. */
let creating = 0;

/**
 * Lets the browser create a passkey, and resolves with what `store` makes of it. The browser is told to forget one that
 * was certainly refused, with an error or null.
 */
export async function createAndStore<T>(
  optionsJSON: HowToRegister,
  store: (created: RegistrationResponseJSON) => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  creating++;
  try {
    const created = await startRegistration({ optionsJSON }).then((ok) => ({ ok }), reasonOr(NOT_CREATED));
    if ("error" in created) return created;
    const stored = await store(created.ok);
    if (isRefused(stored)) await signalUnknown(created.ok.id);
    return stored;
  } finally {
    creating--;
  }
}

function isRefused(stored: Outcome<unknown>): boolean {
  return "error" in stored ? !(stored.isUnsure || MAY_BE_STORED.includes(stored.error)) : stored.ok === null;
}

/** Browsers do not say whether somebody cancelled, waited too long, or has no passkey: it is one `refusal`. */
const reasonOr = (refusal: string) => (thrown: unknown) => {
  if (thrown instanceof WebAuthnError && thrown.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return { error: ALREADY_HERE };
  return { error: thrown instanceof WebAuthnError || thrown instanceof DOMException ? refusal : BROKEN };
};

/** How long a person waits for what they need not know. */
const SIGNAL_MS = 1_000;

/** Tells the browser that this passkey is of no account. */
export const signalUnknown = (credentialID: string) =>
  signal({ signalName: "unknownCredential", rpID: location.hostname, credentialID });

type Accepted = Extract<Awaited<ReturnType<typeof acceptedPasskeys>>, { ok: unknown }>["ok"];

/** Tells the browser which passkeys a user has, and the user's name. */
export async function signalAccepted({ userId, username, ids }: Accepted): Promise<void> {
  // One that is being created is not among them: it would be forgotten. The page signals again once it is stored.
  if (creating > 0) return;
  const user = { rpID: location.hostname, userID: userId };
  await signal({ signalName: "allAcceptedCredentials", ...user, allAcceptedCredentialIDs: ids });
  await signal({ signalName: "currentUserDetails", ...user, userName: username, userDisplayName: username });
}

/** Tells the browser what has become of passkeys. Not every browser, nor every password manager, knows every signal. */
async function signal(message: Parameters<typeof sendSignal>[0]): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, SIGNAL_MS));
  await Promise.race([sendSignal(message).catch(() => {}), late]);
}
