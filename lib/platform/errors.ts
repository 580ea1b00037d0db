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

// What no single area throws. Every code is written once, with its status; a code of an area is in the area's file
// `errors`, or where it is thrown if that is one place. Tests check both.

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
export const notFound = (sentence = "There is nothing at this address.", headers: Record<string, string> = {}) =>
  new ApiError(404, "not_found", sentence, { headers });
/** For the script of a page that calls an action that is not there. By the header, Next recognises it. */
export const actionNotFound = () =>
  notFound("This page is out of date. Reload it.", { "X-Nextjs-Action-Not-Found": "1" });
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
