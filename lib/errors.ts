/**
 * A refusal that the caller is told about. It leaves by `endpoint()` as the contract's error body (contract, section 1);
 * a page's action shows its sentence. The message is for a person and never holds a secret.
 */
export class ApiError extends Error {
  override name = "ApiError";

  /** Next's bundle and the server's are two copies of this class, and what both share throws errors of either: told by what they bear. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === "ApiError" && "status" in thrown && "code" in thrown;
  }

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
    /** What was sent that it speaks of, where that is one thing: a page shows it at that field. */
    readonly field?: string,
  ) {
    // A refusal is an answer like any other: nobody reads where it was thrown, and finding that out takes as long as a look-up.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

export const invalidParameter = (sentence: string, field?: string) => new ApiError(400, "invalid_parameter", sentence, {}, field);

/** Missing or wrong tokens. Existing clients recognise a bad token by the word "Invalid" (contract, section 1). */
export const missingToken = () =>
  new ApiError(401, "missing_token", "A token is required: send it as the parameter auth, or as Authorization: Bearer.", { "WWW-Authenticate": "Bearer" });
export const invalidToken = () => new ApiError(401, "invalid_token", "Invalid token.", { "WWW-Authenticate": "Bearer" });
export const accountDisabled = () => new ApiError(403, "account_disabled", "This account is disabled.");

export const notFound = () => new ApiError(404, "not_found", "There is nothing at this address.");
export const keyNotFound = () => new ApiError(404, "key_not_found", "There is no key with this id.");
export const userNotFound = () => new ApiError(404, "user_not_found", "There is no user with this name.");

/** `seconds` until trying again makes sense, at least 1. */
export const rateLimited = (seconds: number, sentence = "Too many attempts from here. Try again later.") =>
  new ApiError(429, "rate_limited", sentence, { "Retry-After": String(Math.max(1, Math.ceil(seconds))) });
export const unavailable = (sentence = "The service cannot answer right now. Try again in a moment.") =>
  new ApiError(503, "unavailable", sentence, { "Retry-After": "2" });
export const storageFull = () => new ApiError(507, "storage_full", "There is no room left to store this.");
