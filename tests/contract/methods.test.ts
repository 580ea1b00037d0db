import { beforeAll, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError } from "./answers";
import { as, newKey } from "./keys";
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

test.each(named(ROUTES))("%s is never the rest of a former answer for wget", async (_, { path, query }) => {
  const before = await as(user, "/keys/mine");
  const headers = { Range: "bytes=10-", "User-Agent": "Wget/1.21.3" };
  const answer = await ask(path, { query: { ...query, auth: user.token }, headers });
  // Of what is not there, that is said.
  if (answer.status !== 404) expect(answer.status).toBe(412);
  expect((await as(user, "/keys/mine")).list).toEqual(before.list);
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
