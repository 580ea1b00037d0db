import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { type Answer, ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectNotLinked } from "./answers";
import { ROUTES } from "./routes";

declare module "vitest" {
  interface ProvidedContext {
    /** How many bad requests a lane gets. */
    badRequests: number;
  }
}

const AT_ONCE = 10;
const STACK = /\bat .+\.\w+:\d+:\d+|node_modules|prisma|sqlite|postgres/i;

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

/** A piece of a query string: broken escapes and UTF-8, names that are known, things that other programs choke on. */
const nasty = fc.constantFrom(
  ...("% %4 %zz %00 %ff %c0%af %ed%a0%80 %f0%9f%98 %ef%bf%bd + & = ; # ? [] %5B%5D %0d%0a .. / " +
    "\\ __proto__ NaN -0 1e400 null".split(" ")),
);
const text = fc.oneof(
  nasty,
  fc.string({ maxLength: 8 }).map(encodeURIComponent),
  fc.string({ unit: "binary-ascii", maxLength: 8 }).map(escape),
);
const fragment = fc.array(text, { maxLength: 6 }).map((pieces) => pieces.join("").replace(/[^\x21-\x7e]|#/g, ""));
const segment = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map(encodeURIComponent)
  .filter((name) => !/^\.{1,2}$/.test(name));

const request = fc.record({
  route: fc.constantFrom(...ROUTES),
  segment: fc.option(segment),
  /** Which of its parameters are sent as they should be; the others are bad, or left out. */
  good: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  bad: fc.array(
    fc.tuple(
      fc.constantFrom("auth", "data", "price", "name", "key", "user", "username", "limit", "after", "code", "id"),
      fragment,
    ),
    {
      maxLength: 4,
    },
  ),
  isSignedIn: fc.boolean(),
  method: fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "POST", "OPTIONS"),
  header: fc.constantFrom<Record<string, string>>(
    {},
    {},
    {},
    { Range: "bytes=9-1" },
    { "If-None-Match": '"' },
    { Authorization: "Bearer" },
    { Authorization: "Bearer \xff" },
    { Accept: "*/*;q=x" },
    { "Accept-Encoding": "gzip;q=9" },
  ),
});

function send({
  route,
  segment,
  good,
  bad,
  isSignedIn,
  method,
  header,
}: typeof request extends fc.Arbitrary<infer T> ? T : never): Promise<Answer> {
  const path = segment === null ? route.path : route.pattern.replace(/\{\w+\}/, segment);
  const kept = route.required
    .filter((_, index) => good[index])
    .map((name) => `${name}=${encodeURIComponent(route.query[name] ?? "")}`);
  const query = [
    ...(isSignedIn ? [`auth=${user.token}`] : []),
    ...kept,
    ...bad.map(([name, value]) => `${name}=${value}`),
  ].join("&");
  return ask(`${path}?${query}`, { method, headers: header, network: newNetwork().id });
}

function expectDecent(answer: Answer, method: string): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.text).not.toMatch(STACK);
  if (method !== "HEAD" && answer.status !== 204 && answer.status !== 304)
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
}

const cases = inject("badRequests");

test(`${cases} bad requests are answered without a fault of ours`, { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      const answers = await Promise.all(requests.map(send));
      for (const [index, answer] of answers.entries()) expectDecent(answer, requests[index]?.method ?? "");
    }),
    { numRuns: cases / AT_ONCE },
  );
});

test("whatever is sent as a code, the answer is the one that tells nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (codes) => {
      const answers = await Promise.all(
        codes.map((code) => ask(`/link/user?code=${code}`, { network: newNetwork().id })),
      );
      for (const answer of answers) expectNotLinked(answer);
    }),
    { numRuns: 30 },
  );
});

test("a service that was asked all this still works", async () => {
  expect((await ask("/health")).status).toBe(200);
  expect((await ask("/me", { query: { auth: user.token } })).status).toBe(200);
});
