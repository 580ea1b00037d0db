import { expect, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { ask, origin } from "@/tests/support/http";
import { newUsername, signInByPassword } from "@/tests/support/user";

const PAGES = ["/", "/signin", "/signup", "/link", "/keys", "/account", "/docs", "/nothing-here"];
const RULES = ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"];

test.each(PAGES)("%s may not be framed, sniffed or told of elsewhere, and runs no script but its own", async (path) => {
  const { headers } = await ask(path, { headers: { Accept: "text/html" } });
  const policy = String(headers["content-security-policy"]);
  for (const rule of [...RULES, "frame-ancestors 'none'"]) expect(policy).toContain(rule);
  expect(policy).toMatch(/script-src [^;]*'nonce-[A-Za-z0-9+/=]{20,}'/);
  expect(policy).not.toMatch(/script-src [^;]*'unsafe-(?:inline|eval)'/);
  expect(headers).toMatchObject({
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": expect.stringContaining("camera=()"),
  });
  expect(headers["x-powered-by"]).toBeUndefined();
});

test.each([
  ["/link?popup=1", "unsafe-none"],
  ["/link/?popup", "unsafe-none"],
  ["/link?code=ABCDEF", "same-origin"],
  ["/keys?popup=1", "same-origin"],
  ["/signin?popup=1&next=/link?popup", "same-origin"],
])("%s is connected to the page that opened it: %s", async (path, expected) => {
  const { headers } = await ask(path, { headers: { Accept: "text/html" } });
  expect(headers["cross-origin-opener-policy"]).toBe(expected);
  expect(headers["x-frame-options"]).toBe("DENY");
});

test.each([
  "/docs?x",
  "/docs/guides/keys?utm_source=a&b=c",
  "/claim?a",
  "/recover/?a=b",
  "/recover/link?a",
  "/email?a",
])("%s, whose page reads no parameters, leads to the page without them", async (path) => {
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, text } = await ask(path, { method, headers: { Accept: "text/html" } });
    const location = new URL(String(headers.location), origin);
    expect([status, location.pathname, location.search]).toEqual([307, path.replace(/\?.*/, ""), ""]);
    expect(text.length).toBeLessThan(200);
  }
});

test("a page that reads parameters gets them", async () => {
  for (const path of ["/signin?next=/keys", "/link?code=ABCDEF", "/?deleted"])
    expect((await ask(path, { headers: { Accept: "text/html" } })).status).toBe(200);
});

test("every response has its own nonce", async () => {
  const nonce = async () => /'nonce-([^']+)'/.exec(String((await ask("/")).headers["content-security-policy"]))?.[1];
  expect(await nonce()).not.toBe(await nonce());
});

test("cookies are for the browser alone, and for requests of our own pages", async () => {
  const cookies = (await ask("/api/auth/csrf")).headers["set-cookie"] ?? [];
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/i);
});

test("without SMTP_URL no page mentions e-mail, and its own page is not there", async () => {
  const [username, password] = [newUsername(), "correct horse battery"];
  await createUser({ username, password });
  const Cookie = await signInByPassword(origin, username, password);
  const signedOut = ["/signin", "/signup", "/recover", "/recover/link"].map((path) => [path, {}] as const);
  const signedIn = ["/account", "/account/activity"].map((path) => [path, { Cookie }] as const);
  for (const [path, headers] of [...signedOut, ...signedIn]) {
    const { status, text } = await ask(path, { headers });
    // What a person sees of it.
    const shown = text.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]*>/g, " ");
    expect([path, status, /e-?mail/i.test(shown)]).toEqual([path, 200, false]);
  }
  expect((await ask("/email", { headers: { Accept: "text/html" } })).status).toBe(404);
});
