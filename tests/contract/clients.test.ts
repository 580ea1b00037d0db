import { beforeAll, describe, expect, test } from "vitest";
import { type Answer, ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectCommonHeaders, expectError } from "./answers";
import { as, newKey } from "./keys";
import { named, ROUTES } from "./routes";

/** The calls that /docs/guides/existing-clients says do not work, with a token. */
const REFUSED: [path: string, status: number][] = [
  ["/keys/admin_add?username=somebody", 404],
  ["/keys/create", 400],
];

test.each(REFUSED)("the guide for existing programs names what does not work: %s", async (path, status) => {
  const { text } = await ask("/docs/guides/existing-clients");
  const [name = ""] = path.split("?");
  expect(text).toContain(`<code>${name}</code>`);
  expect((await as(await makeUser(), path)).status).toBe(status);
});

test("it says so of keys read without a token, and of permissions at the link", async () => {
  const { text } = await ask("/docs/guides/existing-clients");
  expect(text).toMatch(/reading a key without a token/);
  expect((await ask(`/keys/get/${await newKey(await makeUser())}`)).status).toBe(401);
  expect(text).toContain("<code>permissions</code>");
  expect((await ask("/link/code?permissions=account:view")).status).toBe(200);
});

/**
 * What programs in browsers of other origins meet: a preflight that fails hides every answer from them, a page is no
 * error to them.
 */

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

// Contract, section 1: CORS.
const ALLOWED = [
  "Authorization",
  "Content-Type",
  "Prefer",
  "Link-Secret",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Range",
];
const EXPOSED = [
  ...[
    "ETag",
    "Accept-Ranges",
    "Content-Range",
    "Retry-After",
    "Link",
    "Link-Expires-In",
    "Link-Interval",
    "Link-Secret",
  ],
  ...["Preference-Applied", "X-Request-Id"],
];
const words = (header: string | string[] | undefined) => String(header).split(", ").sort();

const prefixes = new Set([...ROUTES.map(({ pattern }) => pattern.split("/")[1]), "metrics"]);
const unknownToTheApi = [
  ...[...prefixes].map((prefix) => `/${prefix}/nothing`),
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
function expectAllowed({ status, text, headers }: Answer) {
  expect([status, text]).toEqual([204, ""]);
  expect(words(headers["access-control-allow-headers"])).toEqual([...ALLOWED].sort());
  expect(words(headers["access-control-expose-headers"])).toEqual([...EXPOSED].sort());
}

test.each(named(ROUTES))("a preflight is allowed of %s", async (_, { path, changes }) => {
  const answer = await preflight(path);
  expectAllowed(answer);
  expectCommonHeaders(answer);
  expect(answer.headers["access-control-allow-methods"]).toBe(changes ? "GET, OPTIONS" : "GET, HEAD, OPTIONS");
});

test.each([...unknownToTheApi, ...unknownToAll])("a preflight is allowed of %s, which is unknown", async (path) => {
  const answer = await preflight(path);
  expectAllowed(answer);
  expectCommonHeaders(answer);
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
