import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { cookieAt } from "@/lib/accounts/session/session-cookie";
import { env } from "@/lib/platform/env";
import { type Answer, ask, inParts, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { cookiesOf, makeUser, newUsername, postPassword, type TestUser } from "@/tests/support/user";
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

const { logFile } = inject("service");

const ACTIONS = ["providers", "session", "csrf", "signin", "signout", "callback", "verify-request", "error", "_log"];
const PROVIDERS = ["", "/credentials", "/passkey", "/github", "/nobody", "/__proto__", "/credentials/more"];
const pathsOf = (actions: string[], providers: string[]) =>
  actions.flatMap((one) => providers.map((more) => `/api/auth/${one}${more}`));
const PATHS = ["/api/auth", "/api/auth/nothing", ...pathsOf(ACTIONS, PROVIDERS)];
/** Those that do something different from each other: only they meet everything. */
const DIFFERENT = [...pathsOf(ACTIONS, [""]), ...pathsOf(["signin", "callback"], PROVIDERS.slice(1, 5))];
const QUERIES = "callbackUrl=a callbackUrl=%00 callbackUrl=// callbackUrl=a:b error=%0a error=a&error=b code=a&state=b";
const named = (name: string) => cookieAt(origin, name).name;
const [callback, csrf, session] = [named("callback-url"), named("csrf-token"), named("session-token")];
const COOKIES = [
  ...[`${callback}=a`, `${callback}=a%`, `${csrf}=a`, `${csrf}=|`, `${session}=a`, `${session}.0=a; ${session}.x=b`],
  ...[`${named("state")}=a; ${named("pkce")}=b`, "=; ;;a; %; \u00e4=1"],
];
const FORM = "application/x-www-form-urlencoded";
const BODIES: Record<string, string[]> = {
  [FORM]: ["", "%%%&=&a", "answer=%7B&json=true"],
  "application/json": [
    ...["", "{", "null", "[]", '{"callbackUrl":{"a":1},"csrfToken":["a"]}'],
    '{"username":{},"password":[],"answer":1,"data":{"a":1}}',
  ],
  "text/plain": ["a"],
  "multipart/form-data; boundary=b": ["--b--\r\n"],
};

type Call = [path: string, method: string, headers?: Record<string, string>, body?: string];

/** What is asked of NextAuth, with this cookie and token of a form. */
function calls(valid: { cookie: string; token: string }): Call[] {
  const posts = (path: string, type: string, body: string): Call[] => {
    const form: Call = [path, "POST", { "Content-Type": type }, body];
    if (type !== FORM) return [form];
    return [form, [path, "POST", { "Content-Type": type, Cookie: valid.cookie }, `${body}&csrfToken=${valid.token}`]];
  };
  const withCookies = "session callback/github signin".split(" ").map((one) => `/api/auth/${one}`);
  return [
    ...PATHS.flatMap((path): Call[] => [
      [path, "GET"],
      ...posts(path, FORM, "callbackUrl=a&csrfToken=b&username=a&password=b&json=true"),
    ]),
    ...DIFFERENT.flatMap((path): Call[] => [
      ...["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"].map((method): Call => [path, method]),
      ...QUERIES.split(" ").map((query): Call => [`${path}?${query}`, "GET"]),
      ...Object.entries(BODIES).flatMap(([type, bodies]) => bodies.flatMap((body) => posts(path, type, body))),
    ]),
    ...[...withCookies, "/account", "/signin", "/"].flatMap((path) =>
      COOKIES.map((Cookie): Call => [path, "GET", { Cookie }]),
    ),
  ];
}

test("whatever is asked of NextAuth, it is never a fault of ours, and none is logged", async () => {
  const logged = readFileSync(logFile).length;
  const started = await ask("/api/auth/csrf");
  const strange: string[] = [];
  // Without following a redirect to a page, which is another request.
  await inParts(
    calls({ cookie: cookiesOf(started), token: String(started.body?.csrfToken) }),
    async ([path, method, more = {}, body]) => {
      const headers: Record<string, string> = { Origin: origin, ...more };
      if (body !== undefined) headers["Content-Length"] = String(Buffer.byteLength(body));
      const { status, text } = await ask(path, { method, headers, body });
      if (status >= 500 || /\n\s+at /.test(text))
        strange.push(`${method} ${path} ${JSON.stringify(more)} ${body}: ${status}`);
    },
  );
  expect(strange).toEqual([]);
  const lines = readFileSync(logFile).subarray(logged).toString().split("\n");
  expect(lines.filter((line) => /^\{"level":[56]0/.test(line) && /sign|a package|api\/auth/.test(line))).toEqual([]);
});

test("a sign-in form in chunks, as some proxies send it, is read, and one that is too long refused", async () => {
  const started = await ask("/api/auth/csrf");
  const body = new URLSearchParams({ csrfToken: String(started.body?.csrfToken), username: "a", password: "b" });
  const headers = {
    ...{ Cookie: cookiesOf(started), Origin: origin, "Content-Type": FORM },
    "Transfer-Encoding": "chunked",
  };
  const form = { method: "POST", headers, body: `${body}&json=true` };
  const answer = await ask("/api/auth/callback/credentials", form);
  expect([answer.status, answer.body?.url]).toEqual([401, expect.stringContaining("error=invalid")]);
  const long = { ...form, body: `${form.body}&more=${"x".repeat(16_384)}` };
  const refused = await ask("/api/auth/callback/credentials", long);
  expect([refused.status, refused.body?.code]).toEqual([413, "body_too_large"]);
});

describe("the key for previews in a build, which anybody can read in a package", () => {
  const build = join(".builds", readFileSync(join(".builds", "current"), "utf8").trim());
  const { preview } = JSON.parse(readFileSync(join(build, "prerender-manifest.json"), "utf8"));
  const written = JSON.stringify(preview.previewModeId);
  const forms = [written, written.slice(1, -1), Buffer.from(preview.previewModeId).toString("latin1")];
  const headersOf = (form: string): Record<string, string>[] => [
    { "x-prerender-revalidate": form },
    { "x-prerender-revalidate": form, "x-prerender-revalidate-if-generated": "1" },
    { Cookie: `__prerender_bypass=${form}` },
  ];

  test.each([...forms, "\xed\xa0\x80", "%ED%A0%80", "%EF%BF%BD", "%ud800"])("opens nothing as %j", async (form) => {
    for (const headers of headersOf(form)) {
      const page = await ask("/docs", { headers: { ...headers, Accept: "text/html" } });
      expect([page.status, page.headers["content-security-policy"]]).toEqual([200, expect.stringContaining("nonce-")]);
      const stored = await ask("/icon.svg", { headers });
      expect([stored.status, stored.headers["x-nextjs-cache"]]).toEqual([200, "HIT"]);
    }
  });
});

const somewhere = () => newNetwork().id;

test("wrong passwords count for the client that the proxy saw, whatever the client wrote before that", async () => {
  const [username, client] = [newUsername(), somewhere()];
  const guess = async (from: string) => (await postPassword(origin, username, "wrong password", from)).error;
  for (let guesses = 0; guesses < env.FAILED_PASSWORDS_PER_10_MINUTES; guesses++)
    expect(await guess(`${somewhere()}, ${client}`)).toBe("invalid");
  for (const claim of [somewhere(), "127.0.0.1", "unknown"])
    expect(await guess(`${claim}, ${client}`)).toBe("rate_limited");
  expect(await guess(client)).toBe("rate_limited");
  expect(await guess(`${client}, ${somewhere()}`)).toBe("invalid");
});
