import {
  hashingBusy,
  passkeyExpired,
  passkeyRefused,
  passkeyRegistered,
  passkeyUnfit,
  passkeyUnknown,
  wrongPassword,
} from "@/lib/accounts/errors";
import { unavailable } from "@/lib/platform/errors";

const CANCELLED = "You weren't signed in: sign-in at the provider was cancelled. Try again, or sign in another way.";
const AWAY = "The provider can't be reached right now. Try again in a moment, or sign in another way.";
const NOT_COMPLETED =
  "The provider didn't complete the sign-in. Try again in a moment. If you began in several tabs, use only one.";

const SENTENCES: Record<string, string> = {
  invalid: wrongPassword().message,
  rate_limited:
    "Too many failed sign-ins. Wait a few minutes, or use a browser or a network where you've signed in before. " +
    "Your passkey and “Forgot your password?” below still work.",
  busy: hashingBusy().message,
  disabled: "This account is disabled. Contact the operator of this service.",
  unavailable: unavailable().message,
  passkey_refused: passkeyRefused().message,
  passkey_unknown: passkeyUnknown().message,
  passkey_unfit: passkeyUnfit().message,
  passkey_expired: passkeyExpired().message,
  passkey_known: passkeyRegistered().message,
  username_taken: "This username has just been taken. Choose another.",
  signup_closed: "Sign-up is closed here. Ask the operator of this service for an account.",
  cookies:
    "Your browser doesn't keep this service's cookies, so it can't stay signed in. Allow cookies for this site, then " +
    "sign in again.",
  access_denied: CANCELLED,
  AccessDenied: CANCELLED,
  temporarily_unavailable: AWAY,
  server_error: AWAY,
  OAuthSignin: AWAY,
  expired:
    "Sign-in at the provider took too long, or your browser doesn't keep this service's cookies. Allow cookies for " +
    "this site, then sign in again.",
  OAuthCallback: NOT_COMPLETED,
  Callback: NOT_COMPLETED,
};

/** The sentence for an error from NextAuth: a code of lib/accounts/ways-in/next-auth, or one of NextAuth or of a provider. */
export function signInSentence(code: string): string {
  return (Object.hasOwn(SENTENCES, code) && SENTENCES[code]) || "Sign-in failed. Try again in a moment.";
}
