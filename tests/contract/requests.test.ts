import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError, expectSuccess } from "./answers";
import { as, NO_KEY, newKey } from "./keys";
import { named, PREFETCHABLE, READING, REFUSING_PREFETCH, ROUTES } from "./routes";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const PREFETCHES: Record<string, string>[] = [
  ...[{ "Sec-Purpose": "prefetch;prerender" }, { Purpose: "prefetch" }, { "X-Moz": "prefetch" }],
  ...[{ "Next-Router-Prefetch": "1" }, { "Next-Router-Segment-Prefetch": "/_tree" }, { "Sec-Fetch-Mode": "no-cors" }],
];

test.each(named(READING))("%s answers HEAD like GET, without a body", async (_, { path, query }) => {
  const get = await as(user, path, query);
  const head = await ask(path, { method: "HEAD", query: { ...query, auth: user.token } });
  expect([head.status, head.text]).toEqual([get.status, ""]);
  for (const name of ["content-type", "cache-control", "access-control-allow-origin"])
    expect(head.headers[name]).toBe(get.headers[name]);
  expectCommonHeaders(head);
});

test.each(named(ROUTES))("%s answers other methods with 405 and says which it knows", async (_, route) => {
  const { path, query, changes } = route;
  for (const method of ["POST", "PUT", "PATCH", "DELETE", ...(changes ? ["HEAD"] : [])]) {
    const answer = await ask(path, { method, query: { ...query, auth: user.token } });
    if (method === "HEAD") expect(answer.status).toBe(405);
    else expectError(answer, 405, "method_not_allowed");
    expect(answer.headers.allow).toBe(changes ? "GET, OPTIONS" : "GET, HEAD, OPTIONS");
  }
});

test.each(named(REFUSING_PREFETCH))("%s refuses what nobody clicked", async (_, { path, query }) => {
  for (const headers of PREFETCHES)
    expectError(await ask(path, { query: { ...query, auth: user.token }, headers }), 403, "prefetch_refused");
});

test.each(named(PREFETCHABLE))("%s may be fetched ahead", async (_, { path, query }) => {
  const { status } = await as(user, path, query);
  for (const headers of PREFETCHES)
    expect((await ask(path, { query: { ...query, auth: user.token }, headers })).status).toBe(status);
});

test("no refused method and no prefetching makes, changes or deletes a key", async () => {
  const key = await newKey(user);
  const before = (await as(user, "/keys/mine")).list;
  const attempts = [
    ...["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({ method, headers: {} })),
    ...PREFETCHES.map((headers) => ({ method: "GET", headers })),
  ];
  for (const attempt of attempts) {
    await ask("/keys/create", { ...attempt, query: { auth: user.token, data: "more", price: "1" } });
    await ask(`/keys/update/${key}`, { ...attempt, query: { auth: user.token, key: "data", data: "after" } });
    await ask(`/keys/delete/${key}`, { ...attempt, query: { auth: user.token } });
  }
  expect((await as(user, "/keys/mine")).list).toEqual(before);
});

const create = (rawQuery: string) => ask(`/keys/create?auth=${user.token}&${rawQuery}`);

test("+ is a space, %2B is a plus, and what follows the first = belongs to the value", async () => {
  expect(expectSuccess(await create("data=a+b%2Bc=d==&price=1")).body?.data).toBe("a b+c=d==");
});

test("unknown parameters are ignored, whatever they hold and however often they are sent", async () => {
  const unknown = "other=1&other=2&nul=%00&half=%ed%a0%80&__proto__=1&constructor=2&toString=3";
  expectSuccess(await create(`data=x&price=1&${unknown}`));
});

// That each route names what is missing, sent twice or bad is among the examples of openapi.test.ts.
const BAD = ["%00", "a%00b", "%ef%bf%bd", "%ff", "%c3", "%c0%af", "%ed%a0%80", "%f5%80%80%80", "%e2%82"];
test.each<[name: string, query: string, code: string]>([
  ["data", "price=1", "missing_parameter"],
  ["price", "data=x", "missing_parameter"],
  ["price", "data=x&price=1&price=1", "duplicate_parameter"],
  ...BAD.map((bad): [string, string, string] => ["data", `data=${bad}&price=1`, "invalid_parameter"]),
])("the parameter %s is named where %s is refused", async (name, query, code) => {
  expect(expectError(await create(query), 400, code).body?.error).toContain(name);
});

test("user and username mean the same: both agreeing is fine, both differing is refused", async () => {
  const id = await newKey(user);
  const { username } = user;
  const add = (names: string) => ask(`/keys/admin_add/${id}?auth=${user.token}&key=${id}&${names}`);
  for (const names of [`user=${username}`, `username=${username}`, `user=${username}&username=${username}`])
    expectSuccess(await add(names));
  expectError(await add(`user=${username}&username=other`), 400, "invalid_parameter");
  expectError(await add(`user=${username}&user=${username}`), 400, "duplicate_parameter");
  expectError(await ask(`/keys/revoke/${id}?auth=${user.token}&user=a&user=a`), 400, "duplicate_parameter");
});

test("a parameter of the path is read from the path, never from the query", async () => {
  const id = await newKey(user);
  expectError(await as(user, `/keys/get/${NO_KEY}`, { id, nxtPid: id }), 404, "key_not_found");
});

// Contract, section 1: CORS.
const ALLOWED = "Authorization, Content-Type, Prefer, Link-Secret, If-Match, If-None-Match, If-Range, Range";
const EXPOSED =
  "ETag, Accept-Ranges, Content-Range, Retry-After, Link, Link-Expires-In, Link-Interval, Link-Secret, " +
  "Preference-Applied, X-Request-Id";
const words = (header: string | string[] | undefined) => String(header).split(", ").sort();

const prefixes = new Set([...ROUTES.map(({ pattern }) => pattern.split("/")[1]), "metrics"]);
const unknownToTheApi = [
  ...Array.from(prefixes, (prefix) => `/${prefix}/nothing`),
  ...["/keys/get", "/keys/get/a/b", "/keys/create/more", "/link/code/more"],
];
const unknownToAll = [
  ...["/nothing", "/nothing/at/all", "/nothing.json", "/api/nothing"],
  ...["/v2", "/docs/nothing", "/account/nothing", "/files/content/nothing"],
];

const preflight = (path: string) => {
  const asked = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" };
  return ask(path, { method: "OPTIONS", headers: { Origin: "https://a.example", ...asked } });
};
function expectAllowed(answer: Answer) {
  const { status, text, headers } = answer;
  expect([status, text]).toEqual([204, ""]);
  expectCommonHeaders(answer);
  expect(words(headers["access-control-allow-headers"])).toEqual(words(ALLOWED));
  expect(words(headers["access-control-expose-headers"])).toEqual(words(EXPOSED));
}

test.each(named(ROUTES))("a preflight is allowed of %s", async (_, { path, changes }) => {
  const answer = await preflight(path);
  expectAllowed(answer);
  expect(answer.headers["access-control-allow-methods"]).toBe(changes ? "GET, OPTIONS" : "GET, HEAD, OPTIONS");
});

test.each([...unknownToTheApi, ...unknownToAll])("a preflight is allowed of %s, which is unknown", async (path) => {
  const answer = await preflight(path);
  expectAllowed(answer);
  expect(words(answer.headers["access-control-allow-methods"])).toContain("GET");
});

describe("a path that nobody serves", () => {
  test.each([...unknownToTheApi, ...unknownToAll])("%s is a JSON 404 to a program", async (path) => {
    const accepts: Record<string, string>[] = [{ Accept: "*/*" }, { Accept: "application/json" }, {}];
    for (const headers of accepts) {
      const asked = await ask(`${path}?auth=${user.token}`, { headers: { ...headers, Origin: "https://a.example" } });
      const answer = expectError(asked, 404, "not_found");
      expect(words(answer.headers["access-control-expose-headers"])).toContain("X-Request-Id");
    }
    expectError(await ask(path, { method: "POST", body: "{}" }), 404, "not_found");
    const head = await ask(path, { method: "HEAD" });
    expect([head.status, head.text]).toEqual([404, ""]);
  });

  test.each(unknownToTheApi)("%s is a JSON 404 to a person, too, and to every method", async (path) => {
    expectError(await ask(path, { headers: { Accept: "text/html,*/*" } }), 404, "not_found");
    expectError(await ask(path, { method: "DELETE" }), 404, "not_found");
  });

  test.each(unknownToAll)("%s is a page to a person", async (path) => {
    const answer = await ask(path, { headers: { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toMatch(/^text\/html/);
    expect(answer.text).toContain("Page not found");
  });

  test.each(["/_next/static/chunks/nothing.js", "/_next/nothing"])("%s is no page either", async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).not.toMatch(/html/);
  });

  test.each(["/", "/link", "/docs", "/signin", "/icon.svg", "/favicon.ico", "/api/auth/csrf"])(
    "%s is served to a program as before",
    async (path) => {
      expect((await ask(path)).status).toBe(200);
    },
  );
});
