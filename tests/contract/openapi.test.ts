import { Validator } from "@seriousme/openapi-schema-validator";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { importDocument } from "@/lib/files/import";
import { ALICE, BOB, CODE, KEY, TIME, TOKEN } from "@/lib/http/cast";
import { chunks } from "@/tests/support/documents";
import { type Answer, ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { newKey, share } from "./keys";
import { approve, newCode } from "./link";

interface Operation {
  parameters: { name: string; in: "path" | "query"; required: boolean; example?: string }[];
  security: unknown[];
  responses: Record<string, { content?: { "application/json": { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> } } }>;
}
interface Described {
  paths: Record<string, { get: Operation }>;
  components: { schemas: Record<string, object> };
}
const read = async () => (await ask("/openapi.json")).body as unknown as Described;

const described = await read();
const operations = Object.entries(described.paths).map(([path, { get }]) => [path, get] as const);

test("the description is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate({ ...described });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

/** The cast of the examples, as people and things that exist. */
interface Cast {
  alice: TestUser;
  bob: TestUser;
  words: [string, string][];
}

/** Alice with the key of the examples, and Bob. Each test has a cast of its own. */
async function assemble(): Promise<Cast> {
  const [alice, bob] = (await makeUsers(2)) as [TestUser, TestUser];
  const key = await newKey(alice, { data: "the secret", price: "1.5", name: "Spare room" });
  const words: [string, string][] = [
    [ALICE, alice.username],
    [BOB, bob.username],
    [KEY, key],
    [TOKEN, alice.token],
  ];
  return { alice, bob, words };
}

const swap = (text: string, words: [string, string][]) => words.reduce((swapped, [from, to]) => swapped.replaceAll(from, to), text);
const keyOf = ({ words }: Cast) => words.find(([name]) => name === KEY)?.[1] ?? "";

/** What must have happened before an example. */
const BEFORE: Record<string, (cast: Cast) => Promise<void>> = {
  "/keys/revoke/{id}": (cast) => share(cast.alice, keyOf(cast), cast.bob),
  "/link/user": async (cast) => {
    const code = await newCode();
    await approve(code, cast.alice);
    cast.words.push([CODE, code]);
  },
  "/read-files": async (cast) => {
    const example = described.paths["/read-files"]?.get.responses["200"]?.content?.["application/json"].example;
    await importDocument(cast.alice, chunks(swap(JSON.stringify(example), cast.words)));
  },
};

/** The query and path of an example's request; `change` replaces what is sent. */
function request(path: string, { parameters, security }: Operation, token: string | undefined, change: Record<string, string | undefined> = {}) {
  const sent = Object.fromEntries(parameters.map(({ name, example }) => [name, example]));
  Object.assign(sent, change);
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent[name] ?? ""));
  const query = Object.fromEntries(parameters.flatMap(({ name, in: place }) => (place === "query" ? [[name, sent[name]]] : [])));
  return { target, query: security.length > 0 ? { ...query, auth: token } : query };
}

/** The answer in the words of the cast, at the time of the examples. */
function inTheirWords(text: string, cast: Cast, path: string): unknown {
  const theirs = swap(
    text,
    cast.words.map(([from, to]) => [to, from]),
  );
  const timed = theirs.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, JSON.stringify(TIME)).replace(/"time":\d{10}/g, `"time":${Date.parse(TIME) / 1000}`);
  if (path === "/keys/create") return JSON.parse(timed.replace(/[0-9a-f]{32}/g, KEY));
  if (path === "/link/code") return { code: JSON.parse(timed).code.replace(/^[A-Z]{6}$/, CODE) };
  if (path === "/openapi.json") return { openapi: JSON.parse(timed).openapi };
  return JSON.parse(timed);
}

async function replay(cast: Cast, path: string, operation: Operation, change?: Record<string, string | undefined>): Promise<Answer> {
  const { target, query } = request(path, operation, TOKEN, change);
  const swapped = Object.entries(query).map(([name, value]) => [name, value === undefined ? undefined : swap(value, cast.words)]);
  return ask(swap(target, cast.words), { query: Object.fromEntries(swapped) });
}

/** /metrics answers as it is configured, and has tests of its own. */
const exemplary = operations.filter(([path]) => path !== "/metrics");

describe("the example of", () => {
  test.each(exemplary)("%s is what the service answers", async (path, operation) => {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    const answer = await replay(cast, path, operation);
    expect(answer.status, answer.text).toBe(200);
    expect(inTheirWords(answer.text, cast, path)).toEqual(operation.responses["200"]?.content?.["application/json"].example);
  });
});

/** How each error is come by: what is asked, and by whom. */
type Provocation = (cast: Cast, path: string, operation: Operation) => Promise<Answer>;
const lastOf = ({ parameters }: Operation) => parameters.at(-1)?.name ?? "";
const as =
  (user: (cast: Cast) => TestUser, change?: Record<string, string>): Provocation =>
  (cast, path, operation) =>
    replay({ ...cast, words: [[TOKEN, user(cast).token], ...cast.words] }, path, operation, change);
const PROVOKE: Record<string, Provocation> = {
  missing_parameter: (cast, path, operation) =>
    replay(cast, path, operation, { [operation.parameters.find(({ in: place, required }) => place === "query" && required)?.name ?? ""]: undefined }),
  duplicate_parameter: (cast, path, operation) => {
    const name = operation.parameters.find(({ in: place }) => place === "query")?.name;
    return replay(cast, `${path}?${name}=1`, operation, { [name ?? ""]: "2" });
  },
  too_many_parameters: (cast, path, operation) => replay(cast, `${path}?${Array(50).fill("more=1").join("&")}`, operation),
  invalid_parameter: (cast, path, operation) => replay(cast, path, operation, { [lastOf(operation)]: "\0" }),
  missing_token: async (cast, path, operation) => replay(cast, path, { ...operation, security: [] }),
  invalid_token: async (cast, path, operation) => replay({ ...cast, words: [[TOKEN, `lk_${"x".repeat(43)}`], ...cast.words] }, path, operation),
  account_disabled: async (cast, path, operation) => {
    const [disabled] = await makeUsers(1, { disabledAt: new Date() });
    return as(() => disabled as TestUser)(cast, path, operation);
  },
  prefetch_refused: (cast, path, operation) => {
    const { target, query } = request(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, headers: { "Sec-Purpose": "prefetch" } });
  },
  method_not_allowed: (cast, path, operation) => {
    const { target, query } = request(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, method: "POST" });
  },
  not_creator: (cast, path, operation) => as(({ bob }) => bob, path.includes("revoke") ? { user: ALICE } : undefined)(cast, path, operation),
  creator_access: (cast, path, operation) => replay(cast, path, operation, { user: ALICE }),
  key_mismatch: (cast, path, operation) => replay(cast, path, operation, { key: "0".repeat(32) }),
  key_not_found: (cast, path, operation) =>
    replay(cast, path, operation, path.includes("admin_add") ? { id: "0".repeat(32), key: "0".repeat(32) } : { id: "0".repeat(32) }),
  user_not_found: (cast, path, operation) => replay(cast, path, operation, path.includes("revoke") ? { user: "nobody-at-all" } : { username: "nobody-at-all" }),
  no_files: (cast, path, operation) => replay(cast, path, operation),
  not_linked: (cast, path, operation) => replay(cast, path, operation, { code: "QQQQQQ" }),
};

/** Every example of an error that the description has. Answers that are our faults have none: nothing provokes them. */
const refusals = exemplary.flatMap(([path, operation]) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.["application/json"].examples ?? {})
      .filter(([code]) => !(code === "not_linked" && status !== "404"))
      .map(([code, { value }]) => [path, code, Number(status), value, operation] as const),
  ),
);

describe("the example of an error", () => {
  test.each(refusals)("%s %s is what the service answers", async (path, code, status, value, operation) => {
    const cast = await assemble();
    if (code !== "no_files") await BEFORE[path]?.(cast);
    const answer = await PROVOKE[code]?.(cast, path, operation);
    expect(answer?.status, `${code}: ${answer?.text}`).toBe(status);
    expect(answer?.body).toEqual(value);
  });
});

describe("nothing is answered that is not described", () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await assemble();
  });
  const odd = ["", "0", "-1", "x".repeat(200), "ß", "\0", "../..", "true", "1e5", "[]", "%", "admin"];

  /** The statuses and bodies that a route may answer, as schemas. */
  function schemaFor({ responses }: Operation, status: number): z.ZodType | undefined {
    const response = responses[String(status)];
    expect(response, `status ${status} is not described`).toBeDefined();
    const schema = response?.content?.["application/json"].schema;
    if (!schema) return undefined;
    const local = JSON.stringify({ ...schema, $defs: described.components.schemas }).replaceAll("#/components/schemas/", "#/$defs/");
    return z.fromJSONSchema(JSON.parse(local));
  }

  test.each(operations)("%s, whatever is asked", async (path, operation) => {
    await BEFORE[path]?.(cast);
    const answers: Answer[] = [await replay(cast, path, operation)];
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) answers.push(await ask(swap(request(path, operation, undefined).target, cast.words), { method }));
    for (const { name, in: place } of operation.parameters)
      for (const value of odd.filter((one) => place === "query" || one !== "")) answers.push(await replay(cast, path, operation, { [name]: value }));
    for (const token of ["", "x", cast.bob.token]) answers.push(await replay({ ...cast, words: [[TOKEN, token], ...cast.words] }, path, operation));
    const { target, query } = request(path, operation, cast.alice.token);
    const headers: Record<string, string>[] = [
      { Range: "bytes=0-4" },
      { Range: "bytes=99999999-" },
      { "If-None-Match": "*" },
      { "Accept-Encoding": "gzip" },
      { "Sec-Fetch-Mode": "no-cors" },
    ];
    for (const header of headers) answers.push(await ask(swap(target, cast.words), { query, headers: header }));
    for (const answer of answers) {
      const schema = schemaFor(operation, answer.status);
      if (answer.headers["content-encoding"] || answer.status === 304 || answer.status === 206) continue;
      const parsed = schema?.safeParse(JSON.parse(answer.text));
      expect(parsed?.success, `${answer.status} ${answer.text.slice(0, 300)}\n${parsed?.error}`).toBe(true);
    }
  });
});
