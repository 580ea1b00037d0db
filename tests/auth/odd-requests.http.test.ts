import { readFileSync } from "node:fs";
import { expect, inject, test } from "vitest";
import { cookieAt } from "@/lib/auth/cookie-at";
import { ask, origin } from "@/tests/support/http";
import { cookiesOf } from "@/tests/support/sign-in";

const { logFile } = inject("service");

const ACTIONS = ["providers", "session", "csrf", "signin", "signout", "callback", "verify-request", "error", "_log"];
const PROVIDERS = ["", "/credentials", "/passkey", "/github", "/nobody", "/__proto__", "/credentials/more"];
const PATHS = [
  "/api/auth",
  "/api/auth/nothing",
  ...ACTIONS.flatMap((one) => PROVIDERS.map((more) => `/api/auth/${one}${more}`)),
];
const QUERIES = [
  "callbackUrl=a",
  "callbackUrl=%00",
  "callbackUrl=//",
  "callbackUrl=a:b",
  "error=%0a",
  "error=a&error=b",
  "code=a&state=b",
];
const named = (name: string) => cookieAt(origin, name).name;
const COOKIES = [
  `${named("callback-url")}=a`,
  `${named("callback-url")}=a%`,
  `${named("csrf-token")}=a`,
  `${named("csrf-token")}=|`,
  `${named("session-token")}=a`,
  `${named("session-token")}.0=a; ${named("session-token")}.x=b`,
  `${named("state")}=a; ${named("pkce")}=b`,
  "=; ;;a; %; \u00e4=1",
];
const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";
const BODIES: [type: string, body: string][] = [
  [FORM, ""],
  [FORM, "%%%&=&a"],
  [FORM, "callbackUrl=a&csrfToken=b&username=a&password=b&json=true"],
  [FORM, "answer=%7B&json=true"],
  [JSON_TYPE, ""],
  [JSON_TYPE, "{"],
  [JSON_TYPE, "null"],
  [JSON_TYPE, "[]"],
  [JSON_TYPE, '{"callbackUrl":{"a":1},"csrfToken":["a"]}'],
  [JSON_TYPE, '{"username":{},"password":[],"answer":1,"data":{"a":1}}'],
  ["text/plain", "a"],
  ["multipart/form-data; boundary=b", "--b--\r\n"],
];

/** Without a redirect to a page, which is another request. */
async function statuses(): Promise<string[]> {
  const csrf = await ask("/api/auth/csrf");
  const valid = { cookie: cookiesOf(csrf), token: String(csrf.body?.csrfToken) };
  const strange: string[] = [];
  const note = async (path: string, method: string, headers: Record<string, string> = {}, body?: string) => {
    const length: Record<string, string> =
      body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
    const { status, text } = await ask(path, { method, headers: { Origin: origin, ...headers, ...length }, body });
    if (status >= 500 || /\n\s+at /.test(text))
      strange.push(`${method} ${path} ${JSON.stringify(headers)} ${body}: ${status}`);
  };
  for (const path of PATHS) {
    for (const method of ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH"]) await note(path, method);
    for (const query of QUERIES) await note(`${path}?${query}`, "GET");
    for (const [type, body] of BODIES) {
      await note(path, "POST", { "Content-Type": type }, body);
      if (type !== FORM) continue;
      await note(path, "POST", { "Content-Type": type, Cookie: valid.cookie }, `${body}&csrfToken=${valid.token}`);
    }
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
