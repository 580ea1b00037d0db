import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, inject, test } from "vitest";
import { db } from "@/lib/db/client";
import { ALICE, TOKEN } from "@/lib/http/example-values";
import { blockedNetwork } from "@/tests/support/blocked-network";
import { type Answer, ask } from "@/tests/support/http";
import { makeUsers, type TestUser } from "@/tests/support/user";
import {
  assemble,
  BEFORE,
  type Cast,
  described,
  inTheirWords,
  type Operation,
  operations,
  replay,
  requestOf,
  swap,
} from "./described";

test("the description is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate({ ...described });
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

/** /metrics answers as it is configured, and has tests of its own. */
const exemplary = operations.filter(([path]) => path !== "/metrics");

describe("the example of", () => {
  test.each(exemplary)("%s is what the service answers", async (path, operation) => {
    const cast = await assemble();
    await BEFORE[path]?.(cast);
    const answer = await replay(cast, path, operation);
    expect(answer.status, answer.text).toBe(200);
    expect(inTheirWords(answer.text, cast, path)).toEqual(
      operation.responses["200"]?.content?.["application/json"].example,
    );
  });
});

const TAKES_AWAY = /revoke|admin_remove/;
/** The parameter that names a user on this route. */
const named = (path: string, user: string): Record<string, string> =>
  path.includes("revoke") ? { user } : { username: user };

/** How each error is come by: what is asked, and by whom. */
type Provocation = (cast: Cast, path: string, operation: Operation) => Promise<Answer>;
const lastOf = ({ parameters }: Operation) => parameters.at(-1)?.name ?? "";
const as =
  (user: (cast: Cast) => TestUser, change?: Record<string, string>): Provocation =>
  (cast, path, operation) =>
    replay({ ...cast, words: [[TOKEN, user(cast).token], ...cast.words] }, path, operation, change);
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
  prefetch_refused: (cast, path, operation) => {
    const { target, query } = requestOf(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, headers: { "Sec-Purpose": "prefetch" } });
  },
  misdirected_request: (cast, path, operation) => {
    const { target, query } = requestOf(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, headers: { Host: "evil.example" } });
  },
  network_blocked: async (cast, path, operation) => {
    const { target, query } = requestOf(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, network: await blockedNetwork() });
  },
  method_not_allowed: (cast, path, operation) => {
    const { target, query } = requestOf(path, operation, cast.alice.token);
    return ask(swap(target, cast.words), { query, method: "POST" });
  },
  not_creator: (cast, path, operation) =>
    as(({ bob }) => bob, TAKES_AWAY.test(path) ? named(path, ALICE) : undefined)(cast, path, operation),
  creator_access: (cast, path, operation) => replay(cast, path, operation, named(path, ALICE)),
  key_mismatch: (cast, path, operation) => replay(cast, path, operation, { key: "0".repeat(32) }),
  key_not_found: (cast, path, operation) =>
    replay(
      cast,
      path,
      operation,
      path.includes("admin_add") ? { id: "0".repeat(32), key: "0".repeat(32) } : { id: "0".repeat(32) },
    ),
  user_not_found: (cast, path, operation) => replay(cast, path, operation, named(path, "nobody-at-all")),
  data_damaged: async (cast, path, operation) => {
    await db.key.updateMany({ where: { creatorId: cast.alice.id }, data: { data: "AAAA" } });
    return replay(cast, path, operation);
  },
  no_files: (cast, path, operation) => replay(cast, path, operation),
  refused: (cast, path, operation) => replay(cast, path, operation, { code: "QQQQQQ" }),
};

/** Every example of an error that the description has. Answers that are our faults have none: nothing provokes them. */
const refusals = exemplary.flatMap(([path, operation]) =>
  Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.entries(content?.["application/json"].examples ?? {})
      .filter(([code]) => !(code === "refused" && status !== "404"))
      .filter(([code]) => !(code === "network_blocked" && !inject("service").knowsNetworks))
      .filter(([code]) => !(code === "misdirected_request" && inject("service").isOnVercel))
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
