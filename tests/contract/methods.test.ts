import { beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError } from "./answers";
import { EXPOSED, preflight } from "./preflight";
import { CHANGING, named, PREFETCHABLE, READING, REFUSING_PREFETCH, ROUTES } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const keys = async () => (await ask("/keys/mine", { query: { auth: user.token } })).list;

test(
  "the contract's routes are those that the interface's description names, beside the operator's " + "/metrics",
  async () => {
    const { body } = await ask("/openapi.json");
    const described = Object.keys(body?.paths ?? {}).sort();
    expect(described).toEqual([...ROUTES.map(({ pattern }) => pattern), "/metrics"].sort());
  },
);

describe("happy", () => {
  test.each(named(READING))("%s answers HEAD like GET, without a body", async (_, { path, query }) => {
    const [get, head] = [
      await ask(path, { query: { ...query, auth: user.token } }),
      await ask(path, { method: "HEAD", query: { ...query, auth: user.token } }),
    ];
    expect(head.status).toBe(get.status);
    expect(head.text).toBe("");
    for (const name of ["content-type", "cache-control", "access-control-allow-origin"])
      expect(head.headers[name]).toBe(get.headers[name]);
    expectCommonHeaders(head);
  });

  test.each(named(ROUTES))("%s answers a preflight", async (_, { path, changes }) => {
    const answer = await preflight(path, "authorization");
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(answer.headers["access-control-allow-headers"]).toMatch(/\bAuthorization\b/i);
    expect(answer.headers["access-control-allow-methods"]).toBe(changes ? "GET, OPTIONS" : "GET, HEAD, OPTIONS");
    for (const name of EXPOSED)
      expect(answer.headers["access-control-expose-headers"]).toMatch(new RegExp(`\\b${name}\\b`));
    expectCommonHeaders(answer);
  });
});

describe("error", () => {
  test.each(named(ROUTES))(
    "%s answers other methods with 405 and says which it knows",
    async (_, { path, query, changes }) => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        const answer = await ask(path, { method, query: { ...query, auth: user.token } });
        expectError(answer, 405, "method_not_allowed");
        expect(answer.headers.allow).toBe(changes ? "GET, OPTIONS" : "GET, HEAD, OPTIONS");
      }
    },
  );

  test.each(named(CHANGING))("%s answers HEAD with 405", async (_, { path, query }) => {
    const answer = await ask(path, { method: "HEAD", query: { ...query, auth: user.token } });
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("GET, OPTIONS");
  });
});

describe("security", () => {
  const prefetches: Record<string, string>[] = [
    { "Sec-Purpose": "prefetch;prerender" },
    { Purpose: "prefetch" },
    { "X-Moz": "prefetch" },
    { "Next-Router-Prefetch": "1" },
    { "Sec-Fetch-Mode": "no-cors" },
  ];

  test.each(named(REFUSING_PREFETCH))("%s refuses what nobody clicked", async (_, { path, query }) => {
    for (const headers of prefetches)
      expectError(await ask(path, { query: { ...query, auth: user.token }, headers }), 403, "prefetch_refused");
  });

  test.each(named(PREFETCHABLE))("%s may be fetched ahead", async (_, { path, query }) => {
    const expected = (await ask(path, { query: { ...query, auth: user.token } })).status;
    for (const headers of prefetches)
      expect((await ask(path, { query: { ...query, auth: user.token }, headers })).status).toBe(expected);
  });

  test("no refused method and no prefetching makes, changes or deletes a key", async () => {
    const { body } = await ask("/keys/create", { query: { auth: user.token, data: "before", price: "1" } });
    const before = await keys();
    const attempts = [
      ...["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({ method, headers: {} })),
      ...prefetches.map((headers) => ({ method: "GET", headers })),
    ];
    for (const attempt of attempts) {
      await ask("/keys/create", { ...attempt, query: { auth: user.token, data: "more", price: "1" } });
      await ask(`/keys/update/${body?.key}`, { ...attempt, query: { auth: user.token, key: "data", data: "after" } });
      await ask(`/keys/delete/${body?.key}`, { ...attempt, query: { auth: user.token } });
    }
    expect(await keys()).toEqual(before);
  });
});
