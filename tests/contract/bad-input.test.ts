import fc from "fast-check";
import { beforeAll, expect, inject, test } from "vitest";
import { type Answer, ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
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
const CASES = inject("badRequests");

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
const parameter = fc.constantFrom(..."auth data price name key user username limit after code id".split(" "));
const headers: Record<string, string>[] = [
  ...[{}, {}, {}, { Range: "bytes=9-1" }, { "If-None-Match": '"' }, { "Accept-Encoding": "gzip;q=9" }],
  ...[{ Authorization: "Bearer" }, { Authorization: "Bearer \xff" }, { Accept: "*/*;q=x" }],
];

const request = fc.record({
  route: fc.constantFrom(...ROUTES),
  segment: fc.option(segment),
  /** Which of its parameters are sent as they should be; the others are bad, or left out. */
  good: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  bad: fc.array(fc.tuple(parameter, fragment), { maxLength: 4 }),
  isSignedIn: fc.boolean(),
  method: fc.constantFrom("GET", "GET", "GET", "GET", "HEAD", "POST", "OPTIONS"),
  headers: fc.constantFrom(...headers),
});
type Sent = typeof request extends fc.Arbitrary<infer T> ? T : never;

function send({ route, segment, good, bad, isSignedIn, method, headers }: Sent): Promise<Answer> {
  const path = segment === null ? route.path : route.pattern.replace(/\{\w+\}/, segment);
  const kept = route.required.filter((_, index) => good[index]).map((name) => [name, route.query[name] ?? ""]);
  const parameters = [...(isSignedIn ? [["auth", user.token]] : []), ...kept];
  const query = [...parameters.map(([name, value = ""]) => [name, encodeURIComponent(value)]), ...bad];
  const sent = query.map((pair) => pair.join("=")).join("&");
  return ask(`${path}?${sent}`, { method, headers, network: newNetwork().id });
}

test(`${CASES} bad requests are answered without a fault of ours`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (requests) => {
      const answers = await Promise.all(requests.map(send));
      for (const [index, answer] of answers.entries()) {
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toMatch(STACK);
        const isText = answer.status === 200 && requests[index]?.route.path === "/.well-known/security.txt";
        if (requests[index]?.method !== "HEAD" && answer.status !== 204 && answer.status !== 304)
          expect(answer.headers["content-type"]).toMatch(isText ? /^text\/plain/ : /^application\/json/);
      }
    }),
    { numRuns: CASES / AT_ONCE },
  );
});

test("whatever is sent as a code, the answer is the one that tells nothing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fragment, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (codes) => {
      const poll = (code: string) => ask(`/link/user?code=${code}`, { network: newNetwork().id });
      for (const answer of await Promise.all(codes.map(poll))) expectNotLinked(answer);
    }),
    { numRuns: 20 },
  );
});
