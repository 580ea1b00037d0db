import type { ApiCode } from "./api";

/** Codes of refusals that come before any route. */
type EarlyCode =
  | "bad_request"
  | "not_found"
  | "request_timeout"
  | "body_too_large"
  | "address_too_long"
  | "headers_too_large";

/**
 * What the client reports by itself. `no_response`: nothing arrived, or only a part. `bad_response`: something else
 * than the service responded. `bad_address`: there is no such host. `bad_certificate`: it is not trusted here.
 * `redirected`: the address leads elsewhere. `link_collected`: another program has the token, or its response was lost.
 * `window_blocked`: the browser opened no window to sign in.
 * `document_changed`: the files changed during a download that was interrupted. `bad_document`: it is not one.
 * `not_base64`: an entry's data begins like a data: URL, and is none; its text is the content.
 * `bad_proof`: the service has not signed this, or for something else, or it has expired.
 */
type ClientCode =
  | "no_response"
  | "bad_response"
  | "bad_address"
  | "bad_certificate"
  | "proxy_refused"
  | "redirected"
  | "link_denied"
  | "link_expired"
  | "link_collected"
  | "window_blocked"
  | "document_changed"
  | "bad_document"
  | "not_base64"
  | "bad_proof";

export type ErrorCode = ApiCode | EarlyCode | ClientCode;

export interface ErrorFacts {
  /** The HTTP status, if there was a response. */
  status?: number;
  /** Seconds after which the service wants to be asked again. */
  retryAfter?: number;
  /** The id of the request in the service's log. */
  requestId?: string;
  /** A change was asked for, and nobody knows whether it took place. Look before you ask again. */
  mayHaveHappened?: boolean;
  cause?: unknown;
}

/** Every failure but that of an aborted signal, which throws the signal's reason. The message is a sentence. */
export class LatchkeyError extends Error {
  override name = "LatchkeyError";
  readonly code: ErrorCode;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly requestId: string | undefined;
  readonly mayHaveHappened: boolean;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, { cause: facts.cause });
    this.code = code;
    this.status = facts.status;
    this.retryAfter = facts.retryAfter;
    this.requestId = facts.requestId;
    this.mayHaveHappened = facts.mayHaveHappened ?? false;
  }
}
