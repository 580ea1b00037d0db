import { networkBlocked, OPEN_TO_ALL } from "@/lib/blocked-networks/refusal";
import {
  ApiError,
  accountDisabled,
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
  notCreator,
  notFound,
  prefetchRefused,
  rangeNotSatisfiable,
  rateLimited,
  storageFull,
  tokenAccess,
  unavailable,
  unstorableParameter,
  userNotFound,
} from "@/lib/errors";
import { misdirectedRequest, PROBED } from "@/lib/own-host";
import { ALLOW, type Declaration, refusesPrefetch } from "./declaration";
import { parametersOf } from "./described-parameters";
import { tooManyParameters } from "./page-limits";

interface KnownCode {
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
  notFound(),
  dataDamaged(),
];

const OF_WHAT_WENT_WRONG = [
  missingParameter(""),
  invalidParameter(""),
  duplicateParameter(""),
  tokenAccess("identity", "everything"),
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
const CODES = new Map<string, KnownCode>([
  ...ALWAYS_THE_SAME.map(({ code, status, message }) => [code, { status, sentence: message }] as const),
  ...OF_WHAT_WENT_WRONG.map(({ code, status }) => [code, { status }] as const),
]);

/** The same, by name. */
export const API_ERROR_CODES: readonly string[] = [...CODES.keys()];

/** An error as one route reports it. */
export interface ToldError {
  code: string;
  status: number;
  sentence?: string;
  /** Its body, if that is always the same. */
  body?: object;
}

/** The errors of a route, by status in ascending order. */
export function errorsOf(declaration: Declaration): Map<number, ToldError[]> {
  const errors = codesOf(declaration).map((code) => asTold(declaration, code));
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter((error) => error.status === status)]));
}

function codesOf(declaration: Declaration): string[] {
  const codes = new Set([
    "method_not_allowed",
    "internal",
    "unavailable",
    "rate_limited",
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
  return [...codes];
}

const BEFORE_ROUTE = ["method_not_allowed", "misdirected_request", "network_blocked", "prefetch_refused"];

function asTold(declaration: Declaration, code: string): ToldError {
  const known = CODES.get(code);
  if (!known) throw new Error(`The error code ${code} of ${declaration.path} is not in the API's description.`);
  const sentence = known.sentence ?? sentenceOf(declaration, code);
  const isBeforeRoute = BEFORE_ROUTE.includes(code);
  const own = isBeforeRoute ? undefined : declaration.refusal?.(new ApiError(known.status, code, sentence ?? ""));
  if (own) return { code, ...own };
  return {
    code,
    status: known.status,
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
