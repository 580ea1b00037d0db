/** A route of the contract, and a request that it answers with 200 or 404 to any user. */
export interface ContractRoute {
  /** As the interface's description names it. */
  pattern: string;
  path: string;
  query: Record<string, string>;
  required: string[];
  /** Changes something, so HEAD, prefetching and sub-resources of pages are refused. */
  changes: boolean;
  needsToken: boolean;
}

const ID = "0".repeat(32);

const route = (
  pattern: string,
  required: Record<string, string>,
  kind: "read" | "change",
  caller: "token" | "nobody" = "token",
): ContractRoute => ({
  pattern,
  path: pattern.replace("{id}", ID).replace("{username}", "somebody"),
  query: required,
  required: Object.keys(required),
  changes: kind === "change",
  needsToken: caller === "token",
});

/** Every route of the contract. */
export const ROUTES: ContractRoute[] = [
  route("/keys/create", { data: "secret", price: "1" }, "change"),
  route("/keys/get/{id}", {}, "read"),
  route("/keys/mine", {}, "read"),
  route("/keys/check/{username}", { key: ID }, "read", "nobody"),
  route("/keys/revoke/{id}", { user: "somebody" }, "change"),
  route("/keys/delete/{id}", {}, "change"),
  route("/keys/update/{id}", { key: "data" }, "change"),
  route("/keys/name/{id}", { name: "another" }, "change"),
  route("/keys/admin_remove/{id}", { username: "somebody" }, "change"),
  route("/keys/admin_add/{id}", { key: ID, username: "somebody" }, "change"),
  route("/read-files", {}, "read"),
  route("/link/code", {}, "change", "nobody"),
  route("/link/status", { code: "QQQQQQ" }, "read", "nobody"),
  route("/link/user", { code: "QQQQQQ" }, "change", "nobody"),
  route("/me", {}, "read"),
  route("/get_user", {}, "read"),
  route("/v2/me", {}, "read"),
  route("/health", {}, "read", "nobody"),
  route("/ready", {}, "read", "nobody"),
  route("/openapi.json", {}, "read", "nobody"),
];

export const named = (routes: ContractRoute[]) => routes.map((each) => [each.pattern, each] as const);
const CHANGING = ROUTES.filter(({ changes }) => changes);
export const READING = ROUTES.filter(({ changes }) => !changes);
/** Each request counts as a guess, so prefetching and sub-resources of pages are refused. */
const GUESSABLE = READING.filter(({ pattern }) => pattern === "/link/status");
export const REFUSING_PREFETCH = [...CHANGING, ...GUESSABLE];
export const PREFETCHABLE = READING.filter((each) => !GUESSABLE.includes(each));
export const WITH_TOKEN = ROUTES.filter(({ needsToken }) => needsToken);
export const WITH_PARAMETERS = ROUTES.filter(({ required }) => required.length > 0);
