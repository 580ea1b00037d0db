import {
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  sendSignal,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";
import type { Outcome } from "../outcome";

export { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";

const BROKEN =
  "Your browser or password manager stopped with an error of its own. Try again, or use another browser or passkey.";
const ALREADY_HERE = "This device or password manager already has a passkey for your account.";

completeAnswers();

/** The answers of some password managers have no extension results, for which the package asks. We use none. */
function completeAnswers(): void {
  const { credentials } = navigator;
  for (const method of ["get", "create"] as const) {
    const own = credentials[method].bind(credentials);
    credentials[method] = async (options?: object) => {
      const answer = await own(options);
      if (answer && !("getClientExtensionResults" in answer && answer.getClientExtensionResults))
        Object.defineProperty(answer, "getClientExtensionResults", { value: () => ({}) });
      return answer;
    };
  }
}

type HowToAsk = Parameters<typeof startAuthentication>[0];
type HowToRegister = Parameters<typeof startRegistration>[0]["optionsJSON"];

/** Asks the browser for a passkey. `refusal`: what is said if none is used. */
export const askForPasskey = (how: HowToAsk, refusal: string): Promise<Outcome<AuthenticationResponseJSON>> =>
  startAuthentication(how).then((ok) => ({ ok }), reasonOr(refusal));

/** Lets the browser create a passkey. `refusal`: what is said if none is created. */
export const askForNewPasskey = (
  optionsJSON: HowToRegister,
  refusal: string,
): Promise<Outcome<RegistrationResponseJSON>> =>
  startRegistration({ optionsJSON }).then((ok) => ({ ok }), reasonOr(refusal));

/** Browsers do not say whether somebody cancelled, waited too long, or has no passkey: it is one `refusal`. */
const reasonOr = (refusal: string) => (thrown: unknown) => {
  if (thrown instanceof WebAuthnError && thrown.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return { error: ALREADY_HERE };
  return { error: thrown instanceof WebAuthnError || thrown instanceof DOMException ? refusal : BROKEN };
};

/** Tells the browser what has become of passkeys. Not every browser, nor every password manager, knows every signal. */
export async function signal(message: Parameters<typeof sendSignal>[0]): Promise<void> {
  await sendSignal(message).catch(() => {});
}
