import { MAX_PARAMETERS } from "./page-limits";

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
  prefetch_refused: "A browser loaded it in advance, or a page as a picture or script.",
  not_creator: "The caller isn't the key's creator.",
  key_limit: "The creator has as many keys, or as much data, as this service allows.",
  holder_limit: "The key has as many holders, or the user as many keys, as this service allows.",
  key_not_found: "No key has this id.",
  user_not_found: "No user has this name.",
  no_files: "The user hasn't stored anything yet.",
  not_found: "There is nothing at this URL.",
  method_not_allowed: "The method isn't GET.",
  range_not_satisfiable: "The requested range begins after the end.",
  rate_limited: "Too many requests. Wait for the number of seconds in Retry-After.",
  data_damaged: "What is stored was changed by something other than the service, or the key that opens it is gone.",
  internal: "A fault in the service. If it persists, give the operator the X-Request-Id.",
  unavailable: "The service is starting or busy, or its database is unavailable. Retry-After says when to try again.",
  storage_full: "The service has no room left for this. Deletions still work.",
};

/** When a route answers with this error code, as a sentence for developers. */
export function meaningOf(code: string): string {
  const meaning = MEANINGS[code];
  if (!meaning) throw new Error(`The error code ${code} has no meaning in lib/http/error-meanings.ts.`);
  return meaning;
}
