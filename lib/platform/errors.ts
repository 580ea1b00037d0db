import type { Access } from "./access";

interface RefusalOptions {
  headers?: Record<string, string>;
  /** The single input that it is about, if any: a page shows it at that field. */
  field?: string | undefined;
  /** What our own pages show besides. The API does not send it. */
  details?: object;
}

/**
 * A refusal that is reported to the caller. `endpoint()` sends it as the contract's error body (contract, section 1); a
 * page's action shows its sentence. The message is for people and never contains a secret.
 */
export class ApiError extends Error {
  override name = "ApiError";
  readonly headers: Record<string, string>;
  readonly field: string | undefined;
  readonly details: object;

  /**
   * Next's bundle and the server's bundle have two copies of this class, and shared code throws errors of either:
   * recognised by their fields.
   */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === "ApiError" && "status" in thrown && "code" in thrown;
  }

  // biome-ignore lint/complexity/useMaxParams: what every error has, then what this one may have.
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { headers = {}, field, details = {} }: RefusalOptions = {},
  ) {
    // A refusal is a normal response: nobody reads its stack, and capturing one takes as long as a look-up.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.headers = headers;
    this.field = field;
    this.details = details;
  }
}

/** For `catch`: null in place of a refusal. Throws every other error. */
export function orNull(thrown: unknown): null {
  if (thrown instanceof ApiError) return null;
  throw thrown;
}

// Errors thrown in several places, or thrown in one and listed in the API description. Every code is written once, with
// its status; a code of a single area belongs to that area. A test checks both.

export const badRequest = (sentence: string) => new ApiError(400, "bad_request", sentence);
export const invalidParameter = (sentence: string, field?: string) =>
  new ApiError(400, "invalid_parameter", sentence, { field });
export const unstorableParameter = (name: string) =>
  invalidParameter(
    `The parameter ${name} contains a character that cannot be stored: U+0000, U+FFFD or half of a surrogate pair.`,
  );
export const missingParameter = (name: string) =>
  new ApiError(400, "missing_parameter", `The parameter ${name} is required.`);
export const duplicateParameter = (name: string) =>
  new ApiError(400, "duplicate_parameter", `The parameter ${name} was sent more than once.`);
export const creatorAccess = () =>
  new ApiError(400, "creator_access", "A key's creator always holds it. Delete the key instead.");
export const keyMismatch = () => new ApiError(400, "key_mismatch", "The parameter key must be the id in the path.");

/** Missing or wrong tokens. Existing clients recognise a bad token by the word "Invalid" (contract, section 1). */
export const missingToken = () =>
  new ApiError(
    401,
    "missing_token",
    "A token is required: send it as the parameter auth, or as Authorization: Bearer.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
export const invalidToken = () =>
  new ApiError(401, "invalid_token", "Invalid token.", { headers: { "WWW-Authenticate": "Bearer" } });
/** `field`: the form field for the password. */
export const wrongPassword = (sentence = "The username or the password is wrong.", field?: string) =>
  new ApiError(401, "wrong_password", sentence, { field });

/** The sentence of a page whose user was signed out meanwhile. */
export const SIGNED_OUT = "You're signed out. Sign in and try again.";
export const signedOut = (sentence = SIGNED_OUT) => new ApiError(401, "signed_out", sentence);

export const accountDisabled = () => new ApiError(403, "account_disabled", "This account is disabled.");
/** `needed`: the access that the request needs. */
export const tokenAccess = (granted: Access, needed: Access) =>
  new ApiError(
    403,
    "token_access",
    `This token has the access "${granted}". This request needs a token with the access "${needed}".`,
  );
/** `approved`: the audiences that it may name. */
export const audienceNotApproved = (approved: readonly string[]) =>
  new ApiError(
    403,
    "audience_not_approved",
    `This token makes validators for ${approved.map((one) => `"${one}"`).join(" and ") || "no server"} only. ` +
      "For another server, link again with audience= on /link/code or /oauth/device: the user then approves it.",
  );
export const prefetchRefused = () =>
  new ApiError(
    403,
    "prefetch_refused",
    "Each request to this address counts, so it cannot be prefetched or loaded as part of a page.",
  );
const fromElsewhere = (sentence: string) => new ApiError(403, "foreign_origin", sentence);
export const foreignOrigin = (address = "the service at its own address") =>
  fromElsewhere(`This only works from this service's own pages. Open ${address} and try again.`);
/** A proxy passes on another address than the one that people open. */
export const addressChanged = () =>
  fromElsewhere(
    "What stands in front of this service changes its address. Its operator can correct that: the service's log says " +
      "how.",
  );
export const notCreator = (sentence = "Only the key's creator can do this.") =>
  new ApiError(403, "not_creator", sentence);
export const keyLimit = (sentence: string) => new ApiError(403, "key_limit", sentence);
export const holderLimit = (sentence: string) => new ApiError(403, "holder_limit", sentence);

export const notFound = (sentence = "There is nothing at this address.", headers: Record<string, string> = {}) =>
  new ApiError(404, "not_found", sentence, { headers });
/** For the script of a page that calls an action that is not there. By the header, Next recognises it. */
export const actionNotFound = () =>
  notFound("This page is out of date. Reload it.", { "X-Nextjs-Action-Not-Found": "1" });
export const keyNotFound = () => new ApiError(404, "key_not_found", "There is no key with this id.");
export const userNotFound = () => new ApiError(404, "user_not_found", "There is no user with this name.");
export const noFiles = () => new ApiError(404, "no_files", "No files have been stored yet.");
export const noSuchEntry = () => new ApiError(404, "no_such_entry", "There is no file or folder with this path or id.");

/** `allow`: the value of the Allow header, "GET, OPTIONS". */
export const methodNotAllowed = (allow: string) =>
  new ApiError(405, "method_not_allowed", `This address accepts only ${allow}.`, { headers: { Allow: allow } });
export const requestConflict = () =>
  new ApiError(409, "request_conflict", "The parameter request already names another request. Choose a new id.");
/** A form of a page that the browser itself sent, because no script did. Nothing reads its fields. */
export const formWithoutScript = () =>
  new ApiError(
    405,
    "form_without_script",
    "Nothing was changed or saved: this form works only with the page's script, which is turned off or has not " +
      "loaded. Go back, turn on JavaScript or reload the page, and try again.",
    { headers: { Allow: "GET, HEAD, OPTIONS" } },
  );
export const requestTimeout = () => new ApiError(408, "request_timeout", "The request did not arrive in time.");
export const bodyTooLarge = (sentence: string) => new ApiError(413, "body_too_large", sentence);
export const preconditionFailed = () =>
  new ApiError(
    412,
    "precondition_failed",
    "This may have changed since its first part was sent. Download it again, from the beginning.",
  );
/** `length`: of the whole representation, in bytes. */
export const rangeNotSatisfiable = (length: number) =>
  new ApiError(416, "range_not_satisfiable", `The range begins after the end: there are ${length} bytes.`, {
    headers: {
      "Content-Range": `bytes */${length}`,
    },
  });

/** `seconds` until trying again makes sense, at least 1. */
export const rateLimited = (seconds: number, sentence = "Too many attempts from here. Try again later.") =>
  new ApiError(429, "rate_limited", sentence, { headers: { "Retry-After": String(Math.max(1, Math.ceil(seconds))) } });
export const hashingBusy = () =>
  new ApiError(429, "hashing_busy", "Too many people are signing in right now. Try again in a few seconds.", {
    headers: {
      "Retry-After": "5",
    },
  });
export const headersTooLarge = (sentence = "The request's headers are too large. Send fewer and shorter ones.") =>
  new ApiError(431, "headers_too_large", sentence);

/** What is stored does not open: it was changed by something else, or its key is missing. */
export const dataDamaged = () =>
  new ApiError(500, "data_damaged", "What is stored here is damaged and cannot be read. Only the operator can help.");
/** Whether this fault of what is stored is reported as `dataDamaged`. By its name: there are two bundles. */
export const isDamage = (thrown: unknown) => thrown instanceof Error && thrown.name === "Damaged";
export const internal = () => new ApiError(500, "internal", "Something went wrong on our side. Try again in a moment.");
export const unavailable = (sentence = "The service is unavailable right now. Try again in a moment.") =>
  new ApiError(503, "unavailable", sentence, { headers: { "Retry-After": "2" } });
export const storageFull = () => new ApiError(507, "storage_full", "The service has no space left for this.");

/** Unknown, removed, of another host, with a wrong signature or a copied one: a stranger learns no more. */
export const passkeyRefused = () =>
  new ApiError(401, "passkey_refused", "This passkey wasn't accepted. Use another one, or sign in another way.");
export const passkeyUnknown = () =>
  new ApiError(401, "passkey_unknown", "This passkey isn't known here. It may have been removed from the account.");
export const passkeyUnfit = () =>
  new ApiError(
    401,
    "passkey_unfit",
    "What your device or password manager created is no passkey that can be used here: it must check your finger, " +
      "face or PIN. Use another one.",
  );
export const passkeyExpired = () =>
  new ApiError(401, "passkey_expired", "The request for your passkey has expired. Try again.");
export const passkeyRegistered = () => new ApiError(409, "passkey_known", "This passkey has already been added.");
export const passkeyNotFound = () =>
  new ApiError(404, "passkey_not_found", "There is no such passkey. It may have been removed already.");
