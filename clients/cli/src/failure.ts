import { type ErrorCode, LatchkeyError } from "../../typescript/src/latchkey";
import { proxyHint } from "./proxy";

/** What the exit status says. The README lists them. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  signInNeeded: 3,
  refused: 4,
  notFound: 5,
  tryLater: 6,
  interrupted: 130,
} as const;

export type ExitStatus = (typeof EXIT)[keyof typeof EXIT];

/** A failure with its exit status, and a sentence for people. */
export class Failure extends Error {
  override name = "Failure";

  constructor(
    readonly status: ExitStatus,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const STATUS_OF: Partial<Record<ErrorCode, ExitStatus>> = {
  missing_token: EXIT.signInNeeded,
  invalid_token: EXIT.signInNeeded,
  account_disabled: EXIT.refused,
  token_access: EXIT.refused,
  not_creator: EXIT.refused,
  creator_access: EXIT.refused,
  key_limit: EXIT.refused,
  holder_limit: EXIT.refused,
  link_denied: EXIT.refused,
  key_not_found: EXIT.notFound,
  user_not_found: EXIT.notFound,
  no_files: EXIT.notFound,
  no_such_entry: EXIT.notFound,
  not_found: EXIT.notFound,
  invalid_parameter: EXIT.usage,
  missing_parameter: EXIT.usage,
  link_expired: EXIT.tryLater,
  link_collected: EXIT.tryLater,
  no_response: EXIT.tryLater,
  rate_limited: EXIT.tryLater,
  unavailable: EXIT.tryLater,
};

/** Whatever was thrown, as a failure with a message. */
export function failureOf(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof LatchkeyError)
    return new Failure(STATUS_OF[error.code] ?? EXIT.failed, error.code, messageOf(error));
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error) };
  return new Failure(EXIT.failed, code?.toLowerCase() ?? "failed", message);
}

/** What to do about it. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  bad_address: "Check the address, and whether this machine is online.",
  redirected: "If you trust that, use its address.",
};

function messageOf({ code, message, status, retryAfter, mayHaveHappened, cause }: LatchkeyError): string {
  if (code === "invalid_token" && process.env.LATCHKEY_TOKEN) return "The token in LATCHKEY_TOKEN is not valid.";
  if (code === "invalid_token") return "The token is no longer valid. Run: latchkey login";
  const isUnencrypted = code === "bad_response" && cause !== undefined;
  const isUnreached = status === undefined && ["no_response", "bad_address", "proxy_refused"].includes(code);
  const isUntrusted = code === "bad_certificate" && /self-signed|issuer|verify/.test(message);
  const more = [
    isUnencrypted
      ? message.replace(/ cannot .*/s, " does not support https. Its address may begin with http://.")
      : message,
    ADVICE[code],
    isUntrusted && "If you trust who signed it, name a file with their certificate in NODE_EXTRA_CA_CERTS.",
    isUnreached && proxyHint(),
    mayHaveHappened && "The change may have been made. Check before you try again.",
    retryAfter && code === "rate_limited" && `Wait ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`,
  ];
  return more.filter(Boolean).join(" ");
}
