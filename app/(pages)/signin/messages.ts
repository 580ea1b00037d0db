import { hashingBusy, unavailable, wrongPassword } from "@/lib/errors";
import { passkeyExpired, passkeyKnown, passkeyRefused } from "@/lib/passkeys/errors";

const SENTENCES: Record<string, string> = {
  invalid: wrongPassword().message,
  rate_limited:
    "Too many failed sign-ins. Wait a few minutes, or use a browser or a network where you've signed in before. " +
    "Your passkey, and “Forgot your password?” below, work at once.",
  busy: hashingBusy().message,
  disabled: "This account is disabled. Contact the operator of this service.",
  unavailable: unavailable().message,
  passkey_refused: passkeyRefused().message,
  passkey_expired: passkeyExpired().message,
  passkey_known: passkeyKnown().message,
  username_taken: "This username has just been taken. Choose another.",
  signup_closed: "Sign-up is closed here. Ask the operator of this service for an account.",
  AccessDenied: "The provider didn't sign you in.",
};

/** The sentence for an error from NextAuth: a code of lib/auth/options, or one of NextAuth's own about a provider. */
export function signInSentence(code: string): string {
  return SENTENCES[code] ?? "Sign-in failed. Try again in a moment.";
}
