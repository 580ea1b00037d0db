import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";

/** What the sign-in page gets instead of the code of an ApiError. */
const SIGN_IN_ERRORS: Record<string, string> = {
  wrong_password: "invalid",
  rate_limited: "rate_limited",
  hashing_busy: "busy",
  account_disabled: "disabled",
  passkey_refused: "passkey_refused",
  passkey_expired: "passkey_expired",
  passkey_known: "passkey_known",
  username_taken: "username_taken",
  signup_closed: "signup_closed",
};

/** The error for NextAuth to hand to the sign-in page. Logs what is a fault. */
export function forSignInPage(error: unknown): Error {
  const told = error instanceof ApiError ? SIGN_IN_ERRORS[error.code] : undefined;
  if (!(error instanceof ApiError)) log.error({ err: error }, "signing in failed");
  return new Error(told ?? "unavailable");
}
