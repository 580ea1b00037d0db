import { beforeAll, describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { signedInAt } from "@/tests/support/signed-in";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess, expectUnknown } from "./answers";

const PAGES = ["/", "/signin", "/signup", "/link", "/keys", "/account", "/docs", "/nothing-here"];
const HTML = { Accept: "text/html" };
const RULES = ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"];

test.each(PAGES)("%s may not be framed, sniffed or told of elsewhere, and runs no script but its own", async (path) => {
  const { headers } = await ask(path, { headers: HTML });
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
  const { headers } = await ask(path, { headers: HTML });
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
    const { status, headers, text } = await ask(path, { method, headers: HTML });
    const location = new URL(String(headers.location), origin);
    expect([status, location.pathname, location.search]).toEqual([307, path.replace(/\?.*/, ""), ""]);
    expect(text.length).toBeLessThan(200);
  }
});

test("a page that reads parameters gets them", async () => {
  for (const path of ["/signin?next=/keys", "/link?code=ABCDEF", "/?deleted"])
    expect((await ask(path, { headers: HTML })).status).toBe(200);
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
  const { cookie: Cookie } = await signedInAt(origin);
  const signedOut = ["/signin", "/signup", "/recover", "/recover/link"].map((path) => [path, {}] as const);
  const signedIn = ["/account", "/account/activity"].map((path) => [path, { Cookie }] as const);
  for (const [path, headers] of [...signedOut, ...signedIn]) {
    const { status, text } = await ask(path, { headers });
    // What a person sees of it.
    const shown = text.replace(/<script[\s\S]*?<\/script>/g, "").replace(/<[^>]*>/g, " ");
    expect([path, status, /e-?mail/i.test(shown)]).toEqual([path, 200, false]);
  }
  expect((await ask("/email", { headers: HTML })).status).toBe(404);
});

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const many = (count: number, part: string, between = "&") => Array(count).fill(part).join(between);

describe("parameters", () => {
  test("the API takes fifty, and says so of more, whoever asks", async () => {
    expectSuccess(await ask(`/me?auth=${user.token}&${many(49, "a=1")}&&`));
    expectError(await ask(`/me?auth=${user.token}&${many(50, "a=1")}`), 400, "too_many_parameters");
    expectError(await ask(`/me?${many(4_000, "a")}`), 400, "too_many_parameters");
    expectError(await ask(`/keys/check/${user.username}?key=a&${many(50, "b=1")}`), 400, "too_many_parameters");
  });

  test("/link/user and /link/status report too many requests in their usual form", async () => {
    expectNotLinked(await ask(`/link/user?code=KMTRWB&${many(50, "a=1")}`));
    expectUnknown(await ask(`/link/status?code=KMTRWB&${many(50, "a=1")}`));
  });

  test.each(["/signin", "/", "/nothing-here", "/files"])("%s takes fifty, and no more", async (path) => {
    expect((await ask(`${path}?${many(50, "a=1")}`, { headers: HTML })).status).not.toBe(400);
    expect((await ask(`${path}?${many(51, "a=1")}`, { headers: HTML })).status).toBe(400);
  });

  test("an address of a page has 8 KB", async () => {
    expect((await ask(`/signin?next=${"a".repeat(8_000)}`, { headers: HTML })).status).toBe(200);
    expect((await ask(`/signin?next=${"a".repeat(8_200)}`, { headers: HTML })).status).toBe(414);
  });
});

test("pages take some sixty cookies", async () => {
  const cookies = (count: number) => ({ ...HTML, Cookie: many(count, "a=1", "; ") });
  expect((await ask("/signin", { headers: cookies(60) })).status).toBe(200);
  expect((await ask("/signin", { headers: cookies(70) })).status).toBe(431);
});

test.each(["POST", "PUT", "PATCH", "DELETE"])(
  "%s of a page, which has no action of that name, is 405",
  async (method) => {
    const answer = await ask("/signin", { method, headers: { ...HTML, "Content-Length": "5" }, body: "hello" });
    expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  },
);

const answers: [what: string, path: string, asking?: Parameters<typeof ask>[1]][] = [
  ["a page that is not there", "/nothing-here", { headers: HTML }],
  ["an asset that is not there", "/_next/static/nothing.js", { headers: HTML }],
  ["an icon", "/icon.svg"],
  ["a redirect", "/api/auth/error"],
  ["NextAuth's own error", "/api/auth/nothing"],
  ["a session", "/api/auth/session"],
  ["what the files page asks", "/files/content?id=a"],
  ["a method that no page has", "/", { method: "DELETE", headers: HTML }],
  ["a refused address", `/?${many(60, "a")}`, { headers: HTML }],
];
test.each(answers)("%s is neither sniffed nor told of elsewhere", async (_, path, asking) => {
  const { headers } = await ask(path, asking);
  expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" });
  expect(headers["x-powered-by"]).toBeUndefined();
});
