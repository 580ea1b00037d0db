import { ApiError, accountDisabled, invalidToken, keyNotFound, missingToken, notFound, userNotFound } from "@/lib/errors";
import { parametersOf } from "./described-parameters";
import type { Declaration } from "./endpoint";
import { tooManyParameters } from "./page-limits";

interface Code {
  status: number;
  /** What the error says, where that does not depend on what went wrong or how the service is configured. */
  sentence?: string;
}

const told = ({ status, message }: ApiError): Code => ({ status, sentence: message });

/** Every code of an error (contract, section 1: error). */
const CODES: Record<string, Code> = {
  missing_parameter: { status: 400 },
  invalid_parameter: { status: 400 },
  duplicate_parameter: { status: 400 },
  too_many_parameters: told(tooManyParameters()),
  creator_access: { status: 400, sentence: "A key's creator always holds it. Delete the key instead." },
  key_mismatch: { status: 400, sentence: "The parameter key must be the id in the path." },
  missing_token: told(missingToken()),
  invalid_token: told(invalidToken()),
  account_disabled: told(accountDisabled()),
  prefetch_refused: { status: 403, sentence: "This address changes something, so it does not answer prefetching or a page's sub-resource." },
  not_creator: { status: 403 },
  key_limit: { status: 403 },
  holder_limit: { status: 403 },
  key_not_found: told(keyNotFound()),
  user_not_found: told(userNotFound()),
  no_files: { status: 404, sentence: "No files have been stored yet." },
  not_found: told(notFound()),
  method_not_allowed: { status: 405 },
  range_not_satisfiable: { status: 416 },
  rate_limited: { status: 429 },
  internal: { status: 500 },
  unavailable: { status: 503 },
  storage_full: { status: 507 },
};

/** An error as one route tells it. */
export interface ToldError {
  code: string;
  status: number;
  sentence?: string;
  /** The body that it has, where that is always the same. */
  body?: object;
}

/** The errors that a route answers, by status, the lowest first. */
export function errorsOf(declaration: Declaration): Map<number, ToldError[]> {
  const errors = codesOf(declaration).map((code) => asTold(declaration, code));
  const statuses = [...new Set(errors.map(({ status }) => status))].sort((a, b) => a - b);
  return new Map(statuses.map((status) => [status, errors.filter((error) => error.status === status)]));
}

function codesOf(declaration: Declaration): string[] {
  const codes = new Set(["method_not_allowed", "internal", "unavailable", "rate_limited", ...(declaration.errors ?? [])]);
  const parameters = parametersOf(declaration);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  if (declaration.caller !== "nobody") for (const code of ["missing_token", "invalid_token", "account_disabled"]) codes.add(code);
  if (inQuery.some(({ required }) => required)) codes.add("missing_parameter");
  if (inQuery.length > 0) for (const code of ["duplicate_parameter", "too_many_parameters"]) codes.add(code);
  if (parameters.length > 0) codes.add("invalid_parameter");
  if (declaration.access === "change") for (const code of ["prefetch_refused", "storage_full"]) codes.add(code);
  return [...codes];
}

function asTold(declaration: Declaration, code: string): ToldError {
  const known = CODES[code];
  if (!known) throw new Error(`The error code ${code} of ${declaration.path} is not in the interface's description.`);
  const sentence = known.sentence ?? sentenceOf(declaration, code);
  const isBeforeRoute = code === "method_not_allowed" || code === "prefetch_refused";
  const own = isBeforeRoute ? undefined : declaration.refusal?.(new ApiError(known.status, code, sentence ?? ""));
  if (own) return { code, ...own };
  return { code, status: known.status, sentence, body: sentence === undefined ? undefined : { success: false, error: sentence, message: sentence, code } };
}

/** What it says of this route's own parameters and methods; undefined where it depends on more. */
function sentenceOf(declaration: Declaration, code: string): string | undefined {
  const parameters = parametersOf(declaration);
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  switch (code) {
    case "missing_parameter":
      return `The parameter ${inQuery.find(({ required }) => required)?.name} is required.`;
    case "duplicate_parameter":
      return `The parameter ${inQuery[0]?.name} was sent more than once.`;
    case "invalid_parameter":
      return `The parameter ${parameters.at(-1)?.name} holds a character that cannot be stored: U+0000, U+FFFD or half of a surrogate pair.`;
    case "method_not_allowed":
      return `This address answers ${declaration.access === "read" ? "GET, HEAD, OPTIONS" : "GET, OPTIONS"} only.`;
  }
}
