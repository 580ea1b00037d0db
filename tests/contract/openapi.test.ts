import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { ALICE, TOKEN } from "@/lib/api/example-values";
import { db } from "@/lib/platform/db/client";
import { blockedNetwork } from "@/tests/support/blocked-network";
import { type Answer, type Asking, ask, origin } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import {
  assemble,
  BEFORE,
  type Cast,
  described,
  exampleOf,
  inTheirWords,
  type Operation,
  operations,
  replay,
  requestOf,
  swap,
} from "./described";
import { NO_KEY } from "./keys";
import { ROUTES } from "./routes";

test("the description is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate({ ...described });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

test("the description is of this service, and has every route", () => {
  expect(Object.keys(described.paths).sort()).toEqual([...ROUTES.map(({ pattern }) => pattern), "/metrics"].sort());
  expect(described).toMatchObject({ openapi: "3.1.0", servers: [{ url: origin }] });
});

test("/docs is a page to read it", async () => {
  const answer = await ask("/docs");
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toMatch(/^text\/html/);
  for (const { pattern } of ROUTES) expect(answer.text).toContain(pattern);
});

/** /metrics answers as it is configured, and has tests of its own. */
const exemplary = operations.filter(([path]) => path !== "/metrics");

test.each(exemplary)("the example of %s is what the service answers", async (path, operation) => {
  const cast = await assemble();
  await BEFORE[path]?.(cast);
  const answer = await replay(cast, path, operation);
  expect(answer.status, answer.text).toBe(200);
  expect(inTheirWords(answer.text, cast, path)).toEqual(exampleOf(operation));
});

const TAKES_AWAY = /revoke|admin_remove/;
/** The parameter that names a user on this route. */
const nameOf = (path: string, user: string): Record<string, string> =>
  path.includes("revoke") ? { user } : { username: user };

/** How each error is come by: what is asked, and by whom. */
type Provocation = (cast: Cast, path: string, operation: Operation) => Promise<Answer>;
const lastOf = ({ parameters }: Operation) => parameters.at(-1)?.name ?? "";
const as =
  (user: (cast: Cast) => TestUser, change?: Record<string, string>): Provocation =>
  (cast, path, operation) =>
    replay({ ...cast, words: [[TOKEN, user(cast).token], ...cast.words] }, path, operation, change);
const asking =
  (how: Asking): Provocation =>
  (cast, path, operation) => {
    const { target, query } = requestOf(path, operation, cast.alice.token);
    const asked = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, swap(value, cast.words)] as const],
    );
    return ask(swap(target, cast.words), { query: Object.fromEntries(asked), ...how });
  };
const PROVOKE: Record<string, Provocation> = {
  missing_parameter: (cast, path, operation) =>
    replay(cast, path, operation, {
      [operation.parameters.find(({ in: place, required }) => place === "query" && required)?.name ?? ""]: undefined,
    }),
  duplicate_parameter: (cast, path, operation) => {
    const name = operation.parameters.find(({ in: place }) => place === "query")?.name;
    return replay(cast, `${path}?${name}=1`, operation, { [name ?? ""]: "2" });
  },
  too_many_parameters: (cast, path, operation) =>
    replay(cast, `${path}?${Array(51).fill("more=1").join("&")}`, operation),
  invalid_parameter: (cast, path, operation) => replay(cast, path, operation, { [lastOf(operation)]: "\0" }),
  missing_token: async (cast, path, operation) => replay(cast, path, { ...operation, security: [] }),
  invalid_token: async (cast, path, operation) =>
    replay({ ...cast, words: [[TOKEN, `lk_${"x".repeat(43)}`], ...cast.words] }, path, operation),
  account_disabled: async (cast, path, operation) => {
    const [disabled] = await makeUsers(1, { disabledAt: new Date() });
    return as(() => disabled as TestUser)(cast, path, operation);
  },
  prefetch_refused: asking({ headers: { "Sec-Purpose": "prefetch" } }),
  misdirected_request: asking({ headers: { Host: "evil.example" } }),
  network_blocked: async (...asked) => asking({ network: await blockedNetwork() })(...asked),
  precondition_failed: asking({ headers: { Range: "bytes=1-", "User-Agent": "Wget/1.21.3" } }),
  method_not_allowed: asking({ method: "POST" }),
  not_creator: (cast, path, operation) =>
    as(({ bob }) => bob, TAKES_AWAY.test(path) ? nameOf(path, ALICE) : undefined)(cast, path, operation),
  creator_access: (cast, path, operation) => as(({ alice }) => alice, nameOf(path, ALICE))(cast, path, operation),
  request_conflict: async (cast, path, operation) => {
    await replay(cast, path, operation, { request: "the-first" });
    return replay(cast, path, operation, { request: "the-first", id: NO_KEY, key: NO_KEY, price: "9" });
  },
  key_mismatch: (cast, path, operation) => replay(cast, path, operation, { key: NO_KEY }),
  key_not_found: (cast, path, operation) => replay(cast, path, operation, { id: NO_KEY, key: NO_KEY }),
  user_not_found: (cast, path, operation) => replay(cast, path, operation, nameOf(path, "nobody-at-all")),
  data_damaged: async (cast, path, operation) => {
    await db.key.updateMany({ where: { creatorId: cast.alice.id }, data: { data: "AAAA" } });
    return replay(cast, path, operation);
  },
  no_files: (cast, path, operation) => replay(cast, path, operation),
  no_such_entry: (cast, path, operation) => replay(cast, path, operation, { id: NO_KEY }),
  refused: (cast, path, operation) => replay(cast, path, operation, { code: "QQQQQQ" }),
};

/**
 * Every example of an error that the description has. Answers that are our faults have none: nothing provokes them. Nor
 * does a request provoke what a setting decides.
 */
const refusals = exemplary.flatMap(([path, operation]) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.["application/json"]?.examples ?? {})
      .filter(([code]) => !(code === "refused" && status !== "404"))
      .filter(([code]) => !(path === "/.well-known/security.txt" && code === "not_found"))
      .filter(([code]) => !(code === "network_blocked" && !inject("service").knowsNetworks))
      .filter(([code]) => !(code === "misdirected_request" && inject("service").isOnVercel))
      .map(([code, { value }]) => [path, code, Number(status), value, operation] as const),
  ),
);

describe("the example of an error", () => {
  /** What is refused changes nothing, so the refusals of a route share a cast. */
  const casts = new Map<string, Promise<Cast>>();
  async function castOf(path: string): Promise<Cast> {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    return cast;
  }
  function castFor(path: string, code: string): Promise<Cast> {
    if (code === "no_files" || code === "data_damaged") return assemble();
    const cast = casts.get(path) ?? castOf(path);
    casts.set(path, cast);
    return cast;
  }

  test.each(refusals)("%s %s is what the service answers", async (path, code, status, value, operation) => {
    const cast = await castFor(path, code);
    const answer = await PROVOKE[code]?.(cast, path, operation);
    expect(answer?.status, `${code}: ${answer?.text}`).toBe(status);
    expect(answer?.body).toEqual(value);
  });
});

const odd = ["", "-1", "x".repeat(200), "\0", "%"];

/** The statuses and bodies that a route may answer, as schemas. */
function schemaFor({ responses }: Operation, status: number): z.ZodType | undefined {
  const response = responses[String(status)];
  expect(response, `status ${status} is not described`).toBeDefined();
  const schema = Object.values(response?.content ?? {})[0]?.schema;
  if (!schema) return undefined;
  const local = JSON.stringify({ ...schema, $defs: described.components.schemas }).replaceAll(
    "#/components/schemas/",
    "#/$defs/",
  );
  return z.fromJSONSchema(JSON.parse(local));
}

test.each(operations)("%s answers nothing that is not described, whatever is asked", async (path, operation) => {
  const cast = await assemble();
  await BEFORE[path]?.(cast);
  const answers: Answer[] = [await replay(cast, path, operation)];
  for (const method of ["POST", "PUT", "DELETE", "PATCH"])
    answers.push(await ask(swap(requestOf(path, operation, undefined).target, cast.words), { method }));
  for (const { name, in: place } of operation.parameters)
    for (const value of odd.filter((one) => place === "query" || one !== ""))
      answers.push(await replay(cast, path, operation, { [name]: value }));
  for (const token of ["", "x", cast.bob.token])
    answers.push(await replay({ ...cast, words: [[TOKEN, token], ...cast.words] }, path, operation));
  const { target, query } = requestOf(path, operation, cast.alice.token);
  const headers: Record<string, string>[] = [
    { Range: "bytes=0-4" },
    { Range: "bytes=99999999-" },
    { "If-None-Match": "*" },
    { "Accept-Encoding": "gzip" },
    { "Sec-Fetch-Mode": "no-cors" },
  ];
  for (const header of headers) answers.push(await ask(swap(target, cast.words), { query, headers: header }));
  const schemas = new Map(
    [...new Set(answers.map(({ status }) => status))].map((one) => [one, schemaFor(operation, one)]),
  );
  for (const answer of answers) {
    const schema = schemas.get(answer.status);
    if (answer.headers["content-encoding"] || answer.status === 304 || answer.status === 206) continue;
    const isText = answer.headers["content-type"]?.startsWith("text/plain");
    const parsed = schema?.safeParse(isText ? answer.text : JSON.parse(answer.text));
    expect(parsed?.success, `${answer.status} ${answer.text.slice(0, 300)}\n${parsed?.error}`).toBe(true);
  }
});
