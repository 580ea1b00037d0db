import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";
import { cookieAt } from "@/lib/accounts/session-cookie";
import { ask, origin } from "@/tests/support/http";
import { cookiesOf } from "@/tests/support/user";

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

/** Without a redirect to a page, which is another request. */
async function statuses(): Promise<string[]> {
  const started = await ask("/api/auth/csrf");
  const valid = { cookie: cookiesOf(started), token: String(started.body?.csrfToken) };
  const strange: string[] = [];
  const note = async (path: string, method: string, headers: Record<string, string> = {}, body?: string) => {
    const length: Record<string, string> =
      body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const { status, text } = await ask(path, { method, headers: { Origin: origin, ...headers, ...length }, body });
    if (status >= 500 || /\n\s+at /.test(text))
      strange.push(`${method} ${path} ${JSON.stringify(headers)} ${body}: ${status}`);
  };
  const post = async (path: string, type: string, body: string) => {
    await note(path, "POST", { "Content-Type": type }, body);
    if (type === FORM)
      await note(path, "POST", { "Content-Type": type, Cookie: valid.cookie }, `${body}&csrfToken=${valid.token}`);
  };
  for (const path of PATHS) {
    await note(path, "GET");
    await post(path, FORM, "callbackUrl=a&csrfToken=b&username=a&password=b&json=true");
  }
  for (const path of DIFFERENT) {
    for (const method of ["HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]) await note(path, method);
    for (const query of QUERIES.split(" ")) await note(`${path}?${query}`, "GET");
    for (const [type, bodies] of Object.entries(BODIES)) for (const body of bodies) await post(path, type, body);
  }
  for (const path of ["/api/auth/session", "/api/auth/callback/github", "/api/auth/signin", "/account", "/signin", "/"])
    for (const Cookie of COOKIES) await note(path, "GET", { Cookie });
  return strange;
}

test("whatever is asked of NextAuth, it is never a fault of ours, and none is logged", async () => {
  const logged = readFileSync(logFile).length;
  expect(await statuses()).toEqual([]);
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
