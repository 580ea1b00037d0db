import {
  accountDisabled,
  audienceNotApproved,
  invalidToken,
  missingToken,
  tokenAccess,
  userNotFound,
} from "@/lib/accounts/errors";
import { noFiles, noSuchEntry } from "@/lib/files/errors";
import { creatorAccess, holderLimit, keyLimit, keyMismatch, keyNotFound, notCreator } from "@/lib/keys/errors";
import {
  ApiError,
  dataDamaged,
  duplicateParameter,
  internal,
  invalidParameter,
  methodNotAllowed,
  missingParameter,
  notFound,
  preconditionFailed,
  prefetchRefused,
  rangeNotSatisfiable,
  rateLimited,
  requestConflict,
  storageFull,
  unavailable,
  unstorableParameter,
} from "@/lib/platform/errors";
import { MAX_PARAMETERS, tooManyParameters } from "@/lib/platform/http/limits";
import { networkBlocked, OPEN_TO_ALL } from "@/lib/platform/network/blocked";
import { misdirectedRequest, PROBED } from "@/lib/platform/network/host";
import { ALLOW, type Declaration, parametersOf, refusesPrefetch } from "./declaration";

interface DocumentedCode {
  status: number;
  /** When a route responds with it, as a sentence for developers. */
  meaning: string;
  /** The error's sentence, if it depends neither on what went wrong nor on the configuration. */
  sentence?: string;
}

type DocumentedError = readonly [error: ApiError, meaning: string];

const ALWAYS_THE_SAME: DocumentedError[] = [
  [tooManyParameters(), `The URL has more than ${MAX_PARAMETERS} parameters.`],
  [creatorAccess(), "The user is the key's creator, who always holds it."],
  [keyMismatch(), "The parameter key isn't the id in the path."],
  [missingToken(), "No token was sent."],
  [invalidToken(), "The token is unknown, malformed or no longer valid."],
  [accountDisabled(), "The operator has disabled the account."],
  [networkBlocked(), "The operator has blocked the network that the request comes from."],
  [misdirectedRequest(), "The request names a host that isn't this service's own."],
  [prefetchRefused(), "A browser loaded it in advance, or a page as a picture or script."],
  [keyNotFound(), "No key has this id."],
  [userNotFound(), "No user has this name."],
  [noFiles(), "The user hasn't stored anything yet."],
  [noSuchEntry(), "The user has no file or folder with this path or id."],
  [notFound(), "There is nothing at this URL."],
  [preconditionFailed(), "What is asked for may be another version than the one that a part was sent of."],
  [requestConflict(), "The parameter request has the id of another request that was sent within a day."],
  [dataDamaged(), "What is stored was changed by something other than the service, or the key that opens it is lost."],
];

const OF_WHAT_WENT_WRONG: DocumentedError[] = [
  [missingParameter(""), "A required parameter is missing. The sentence names it."],
  [invalidParameter(""), "A parameter has a value that isn't allowed. The sentence names it."],
  [duplicateParameter(""), "A parameter was sent more than once."],
  [
    tokenAccess("identity", "everything"),
    "The program's own token has less access than this route needs. The sentence names both.",
  ],
  [
    audienceNotApproved([]),
    "The user hasn't approved that the program's own token proves who they are to this server. The sentence names " +
      "those that they have, and says how to ask.",
  ],
  [notCreator(), "The caller isn't the key's creator."],
  [keyLimit(""), "The creator has as many keys, or as much data, as this service allows."],
  [holderLimit(""), "The key has as many holders, or the user as many keys, as this service allows."],
  [methodNotAllowed(""), "The method isn't GET."],
  [rangeNotSatisfiable(0), "The requested range begins after the end."],
  [rateLimited(1), "Too many requests. Wait for the number of seconds in Retry-After."],
  [internal(), "A fault in the service. If it persists, give the operator the X-Request-Id."],
  [
    unavailable(),
    "The service is starting or busy, or its database is unavailable. Retry-After says when to try again.",
  ],
  [storageFull(), "The service has no space left for this. Deletions still work."],
];

/** Every error code (contract, section 1: error). */
export const ERROR_CODES: ReadonlyMap<string, DocumentedCode> = new Map([
  ...ALWAYS_THE_SAME.map(
    ([{ code, status, message }, meaning]) => [code, { status, meaning, sentence: message }] as const,
  ),
  ...OF_WHAT_WENT_WRONG.map(([{ code, status }, meaning]) => [code, { status, meaning }] as const),
]);

/** An error as one route reports it. */
export interface ReportedError extends DocumentedCode {
  code: string;
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
  const documented = ERROR_CODES.get(code);
  if (!documented) throw new Error(`The error code ${code} of ${declaration.path} is not in the API's description.`);
  const { status, meaning, sentence = sentenceOf(declaration, code) } = documented;
  const isBeforeRoute = BEFORE_ROUTE.includes(code);
  const own = isBeforeRoute ? undefined : declaration.refusal?.(new ApiError(status, code, sentence ?? ""));
  if (own) return { code, meaning, ...own };
  return {
    code,
    status,
    meaning,
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
