import { KEY } from "@/lib/api/example-values";
import { type Operation, operations } from "@/tests/contract/described";

/** A call of a client, as tests/clients/clients.ts makes it. */
export type ClientCall = [method: string, given: object];

/** Routes that are not a client's business, or the same under another name. */
const OTHERS = [
  ...["/keys/cancel/{id}", "/keys/name/{id}", "/keys/admin_remove/{id}"],
  ...["/health", "/live", "/ready", "/metrics", "/openapi.json"],
  ...["/.well-known/oauth-authorization-server", "/.well-known/security.txt", "/validate"],
];
/** Routes that a client asks by calls of another form, which tests of their own make. */
const OF_OTHER_FORM = [
  ...["/read-files", "/link/code", "/link/status", "/link/user"],
  ...["/.well-known/jwks.json", "/generate_validator"],
];
/** Routes for which no client has a call that is named like them. */
export const WITHOUT_CALL = [...OTHERS, ...OF_OTHER_FORM];

/** How a client makes the request of each example: by a call that is named like the route. */
export const CALLS: Record<string, ClientCall> = Object.fromEntries(
  operations
    .filter(([path]) => !WITHOUT_CALL.includes(path))
    .map(([path, operation]) => [path, callOf(path, operation)]),
);

function callOf(path: string, { parameters }: Operation): ClientCall {
  const shown = parameters.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, example]);
  const { id, ...given } = Object.fromEntries(shown);
  const method = path
    .replace(/\/\{\w+\}$/, "")
    .slice(1)
    .replaceAll("/", ".");
  return [method, id === undefined ? given : { ...given, key: KEY }];
}
