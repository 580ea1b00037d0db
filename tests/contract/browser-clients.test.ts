import { beforeAll, describe, expect, test } from "vitest";
import { expectCommonHeaders, expectError } from "@/tests/contract/answers";
import { newKey } from "@/tests/contract/keys";
import { EXPOSED, preflight } from "@/tests/contract/preflight";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";

/**
 * What programs in browsers of other origins meet: a preflight that fails hides every answer from them, a page is no
 * error to them.
 */

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const ALLOWED = ["Authorization", "Content-Type", "Prefer", "Link-Secret", "If-None-Match", "If-Range", "Range"];
const words = (header: string | string[] | undefined) => String(header).split(", ");

const unknownToTheApi = [
  "/keys/nothing",
  "/keys/create/more",
  "/link/nothing",
  "/me/more",
  "/health/more",
  "/read-files/more",
  "/get_user/more",
  "/v2/nothing",
];
const unknownToAll = [
  "/nothing",
  "/nothing/at/all",
  "/api/nothing",
  "/v2",
  "/docs/nothing",
  "/account/nothing",
  "/files/content/nothing",
  "/nothing.json",
];

describe("a preflight", () => {
  test.each([
    "/keys/mine",
    "/me",
    "/get_user",
    "/v2/me",
    "/read-files",
    "/link/user",
    ...unknownToTheApi,
    ...unknownToAll,
  ])("of %s is allowed", async (path) => {
    const answer = await preflight(path, "authorization,content-type");
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(words(answer.headers["access-control-allow-headers"]).sort()).toEqual([...ALLOWED].sort());
    expect(words(answer.headers["access-control-expose-headers"]).sort()).toEqual([...EXPOSED].sort());
    expect(words(answer.headers["access-control-allow-methods"])).toContain("GET");
    expectCommonHeaders(answer);
  });
});

describe("a path that nobody serves", () => {
  test.each([...unknownToTheApi, ...unknownToAll])("%s is a JSON 404 to a program", async (path) => {
    for (const Accept of ["*/*", "application/json", ""]) {
      const answer = expectError(
        await ask(`${path}?auth=${user.token}`, {
          headers: Accept === "" ? {} : { Accept, Origin: "https://a.example" },
        }),
        404,
        "not_found",
      );
      expect(words(answer.headers["access-control-expose-headers"])).toContain("X-Request-Id");
    }
    expectError(await ask(path, { method: "POST", body: "{}" }), 404, "not_found");
    expect((await ask(path, { method: "HEAD" })).text).toBe("");
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

describe.each(["/get_user", "/v2/me"])("%s, which existing clients ask for the name of their user,", (path) => {
  test("answers as /me does", async () => {
    await newKey(user);
    const me = await ask("/me", { query: { auth: user.token } });
    expect(me.status).toBe(200);
    expect((await ask(path, { query: { auth: user.token } })).body).toEqual(me.body);
    expect((await ask(path, { headers: { Authorization: `Bearer ${user.token}` } })).body).toEqual(me.body);
  });

  test("takes a token and nothing else", async () => {
    expectError(await ask(path), 401, "missing_token");
    expectError(await ask(path, { query: { username: user.username, password: "whatever" } }), 401, "missing_token");
    expectError(
      await ask(path, { query: { auth: "whatever", username: user.username, password: "whatever" } }),
      401,
      "invalid_token",
    );
  });
});
