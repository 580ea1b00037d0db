import {
  ApiError,
  accountDisabled,
  audienceNotApproved,
  creatorAccess,
  dataDamaged,
  duplicateParameter,
  holderLimit,
  internal,
  invalidParameter,
  invalidToken,
  keyLimit,
  keyMismatch,
  keyNotFound,
  methodNotAllowed,
  missingParameter,
  missingToken,
  noFiles,
  noSuchEntry,
  notCreator,
  notFound,
  preconditionFailed,
  prefetchRefused,
  rangeNotSatisfiable,
  rateLimited,
  requestConflict,
  storageFull,
  tokenAccess,
  unavailable,
  unstorableParameter,
  userNotFound,
} from "@/lib/platform/errors";
import { MAX_PARAMETERS, tooManyParameters } from "@/lib/platform/http/limits";
import { networkBlocked, OPEN_TO_ALL } from "@/lib/platform/network/blocked";
import { misdirectedRequest, PROBED } from "@/lib/platform/network/host";
import { ALLOW, type Declaration, parametersOf, refusesPrefetch } from "./declaration";

interface DocumentedCode {
  status: number;
  /** The error's sentence, if it depends neither on what went wrong nor on the configuration. */
  sentence?: string;
}

const ALWAYS_THE_SAME = [
  tooManyParameters(),
  creatorAccess(),
  keyMismatch(),
  missingToken(),
  invalidToken(),
  accountDisabled(),
  networkBlocked(),
  misdirectedRequest(),
  prefetchRefused(),
  keyNotFound(),
  userNotFound(),
  noFiles(),
  noSuchEntry(),
  notFound(),
  preconditionFailed(),
  requestConflict(),
  dataDamaged(),
];

const OF_WHAT_WENT_WRONG = [
  missingParameter(""),
  invalidParameter(""),
  duplicateParameter(""),
  tokenAccess("identity", "everything"),
  audienceNotApproved([]),
  notCreator(),
  keyLimit(""),
  holderLimit(""),
  methodNotAllowed(""),
  rangeNotSatisfiable(0),
  rateLimited(1),
  internal(),
  unavailable(),
  storageFull(),
];

/** Every error code (contract, section 1: error). */
const CODES = new Map<string, DocumentedCode>([
  ...ALWAYS_THE_SAME.map(({ code, status, message }) => [code, { status, sentence: message }] as const),
  ...OF_WHAT_WENT_WRONG.map(({ code, status }) => [code, { status }] as const),
]);

/** The same, by name. */
export const API_ERROR_CODES: readonly string[] = [...CODES.keys()];

/** An error as one route reports it. */
export interface ReportedError {
  code: string;
  status: number;
  sentence?: string;
  /** Its body, if that is always the same. */
  body?: object;
}

/** The errors of a route, by status in ascending order. */
export function errorsOf(declaration: Declaration): Map<number, ReportedError[]> {
  const errors = codesOf(declaration).map((code) => asReported(declaration, code));
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter((error) => error.status === status)]));
}

function codesOf(declaration: Declaration): string[] {
  const codes = new Set([
    "method_not_allowed",
    "internal",
    "unavailable",
    "rate_limited",
    "precondition_failed",
    ...(declaration.errors ?? []),
  ]);
  const parameters = parametersOf(declaration);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  if (declaration.caller !== "nobody")
    for (const code of ["missing_token", "invalid_token", "account_disabled"]) codes.add(code);
  if (declaration.caller === "token" && declaration.needs !== "identity") codes.add("token_access");
  if (inQuery.some(({ required }) => required)) codes.add("missing_parameter");
  if (inQuery.length > 0) for (const code of ["duplicate_parameter", "too_many_parameters"]) codes.add(code);
  if (parameters.length > 0) codes.add("invalid_parameter");
  if (!OPEN_TO_ALL.includes(declaration.path)) codes.add("network_blocked");
  if (!PROBED.includes(declaration.path)) codes.add("misdirected_request");
  if (refusesPrefetch(declaration)) codes.add("prefetch_refused");
  if (declaration.access === "change") codes.add("storage_full");
  if (declaration.change) codes.add("request_conflict");
  return [...codes];
}

const BEFORE_ROUTE = ["method_not_allowed", "misdirected_request", "network_blocked", "prefetch_refused"];

function asReported(declaration: Declaration, code: string): ReportedError {
  const documented = CODES.get(code);
  if (!documented) throw new Error(`The error code ${code} of ${declaration.path} is not in the API's description.`);
  const sentence = documented.sentence ?? sentenceOf(declaration, code);
  const isBeforeRoute = BEFORE_ROUTE.includes(code);
  const own = isBeforeRoute ? undefined : declaration.refusal?.(new ApiError(documented.status, code, sentence ?? ""));
  if (own) return { code, ...own };
  return {
    code,
    status: documented.status,
    sentence,
    body: sentence === undefined ? undefined : { success: false, error: sentence, message: sentence, code },
  };
}

/** The sentence for this route's own parameters and methods; undefined if it depends on more. */
function sentenceOf(declaration: Declaration, code: string): string | undefined {
  const parameters = parametersOf(declaration);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  switch (code) {
    case "missing_parameter":
      return missingParameter(String(inQuery.find(({ required }) => required)?.name)).message;
    case "duplicate_parameter":
      return duplicateParameter(String(inQuery[0]?.name)).message;
    case "invalid_parameter":
      return unstorableParameter(String(parameters.at(-1)?.name)).message;
    case "method_not_allowed":
      return methodNotAllowed(ALLOW[declaration.access]).message;
  }
}

const MEANINGS: Record<string, string> = {
  missing_parameter: "A required parameter is missing. The sentence names it.",
  invalid_parameter: "A parameter has a value that isn't allowed. The sentence names it.",
  duplicate_parameter: "A parameter was sent more than once.",
  too_many_parameters: `The URL has more than ${MAX_PARAMETERS} parameters.`,
  creator_access: "The user is the key's creator, who always holds it.",
  key_mismatch: "The parameter key isn't the id in the path.",
  missing_token: "No token was sent.",
  invalid_token: "The token is unknown, malformed or no longer valid.",
  account_disabled: "The operator has disabled the account.",
  network_blocked: "The operator has blocked the network that the request comes from.",
  misdirected_request: "The request names a host that isn't this service's own.",
  token_access: "The program's own token has less access than this route needs. The sentence names both.",
  audience_not_approved:
    "The user hasn't approved that the program's own token proves who they are to this server. The sentence names " +
    "those that they have, and says how to ask.",
  prefetch_refused: "A browser loaded it in advance, or a page as a picture or script.",
  not_creator: "The caller isn't the key's creator.",
  key_limit: "The creator has as many keys, or as much data, as this service allows.",
  holder_limit: "The key has as many holders, or the user as many keys, as this service allows.",
  key_not_found: "No key has this id.",
  user_not_found: "No user has this name.",
  no_files: "The user hasn't stored anything yet.",
  no_such_entry: "The user has no file or folder with this path or id.",
  not_found: "There is nothing at this URL.",
  method_not_allowed: "The method isn't GET.",
  precondition_failed: "What is asked for may be another version than the one that a part was sent of.",
  request_conflict: "The parameter request has the id of another request that was sent within a day.",
  range_not_satisfiable: "The requested range begins after the end.",
  rate_limited: "Too many requests. Wait for the number of seconds in Retry-After.",
  data_damaged: "What is stored was changed by something other than the service, or the key that opens it is lost.",
  internal: "A fault in the service. If it persists, give the operator the X-Request-Id.",
  unavailable: "The service is starting or busy, or its database is unavailable. Retry-After says when to try again.",
  storage_full: "The service has no space left for this. Deletions still work.",
};

/** When a route responds with this error code, as a sentence for developers. */
export function meaningOf(code: string): string {
  const meaning = MEANINGS[code];
  if (!meaning) throw new Error(`The error code ${code} has no meaning in lib/api/error-codes.ts.`);
  return meaning;
}
