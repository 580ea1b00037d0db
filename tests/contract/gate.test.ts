import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { PAGES } from "@/lib/platform/http/pages";
import { actionId, allActions, callAction } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { makeUser, signInByPassword, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess, expectUnknown } from "./answers";

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const { logFile } = inject("service");
const many = (count: number, part: string, between = "&") => Array(count).fill(part).join(between);
const HTML = { Accept: "text/html" };

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

describe("an action", () => {
  const signUp = (username: string, from: Record<string, string>) => {
    const body = JSON.stringify([{ username, password: randomBytes(12).toString("hex") }]);
    const headers = {
      "Next-Action": actionId("createAccount"),
      "Content-Type": "text/plain;charset=UTF-8",
      "Content-Length": String(body.length),
      ...from,
    };
    return ask("/signup", { method: "POST", headers, body });
  };
  const newName = () => `u${randomBytes(6).toString("hex")}`;

  test("that our own page calls does its work", async () => {
    const answer = await signUp(newName(), { Origin: origin });
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining("error")]);
  });

  test.each([
    ["of nobody", () => ({})],
    ["of another site, as the browser says", () => ({ Origin: origin, "Sec-Fetch-Site": "cross-site" })],
    ["of the same site and another origin", () => ({ Origin: origin, "Sec-Fetch-Site": "same-site" })],
  ])("that a page %s calls is refused in words", async (_, from) => {
    expect((await signUp(newName(), from())).text).toContain("This only works from this service's own pages.");
  });

  test("that a page of another scheme calls is refused in words", async () => {
    const { text } = await signUp(newName(), { Origin: origin.replace("http:", "https:") });
    expect(text).toMatch(
      /This only works from this service's own pages\.|in front of this service changes its address\./,
    );
  });

  test.each(["http://127.0.0.1:1", "http://evil.example", "null"])("that %s calls does nothing", async (Origin) => {
    const name = newName();
    const answer = await signUp(name, { Origin });
    expect(answer.text).not.toContain('{"ok"');
    expectSuccess(await ask(`/keys/check/${name}?key=a`));
    // Free still: nobody was made.
    expect((await signUp(name, { Origin: origin })).text).not.toContain("error");
  });
});

test("a list of names of 75,000 bytes is read, and what is wrong with it said in a sentence", async () => {
  const username = `u${randomBytes(6).toString("hex")}`;
  await createUser({ username, password: "correct horse battery" });
  const cookie = await signInByPassword(origin, username, "correct horse battery");
  const names = Array.from({ length: 5_000 }, () => randomBytes(7).toString("hex")).join("\n");
  const change = { keyId: "0".repeat(32), change: "add" };
  const list = await callAction(origin, "/keys", "changeMany", [{ ...change, names }], { cookie });
  expect([list.status, list.text]).toEqual([200, expect.stringContaining("500 users at a time")]);
  const huge = "a".repeat(500_000);
  const refused = await callAction(origin, "/keys", "changeMany", [{ ...change, names: huge }], { cookie });
  expect(refused.status).toBeGreaterThanOrEqual(400);
});

describe("an action of another page", () => {
  const ADDRESSES = [...PAGES, "/docs/", "/nothing-here"];
  const call = (id: string, path: string, further: Record<string, string> = {}) =>
    ask(path, {
      method: "POST",
      headers: {
        "Next-Action": id,
        Accept: "text/x-component",
        Origin: origin,
        "Content-Type": "text/plain;charset=UTF-8",
        "Content-Length": "5",
        ...further,
      },
      body: '["x"]',
    });

  test("is not there, as the script of the page is told, and no fault of this service", async () => {
    const begun = readFileSync(logFile).length;
    let asked = 0;
    for (const { id, page, pages } of allActions()) {
      const elsewhere = ADDRESSES.filter((path) => !pages.includes(path.replace(/(.)\/$/, "$1")));
      for (const path of [elsewhere[asked % elsewhere.length], elsewhere[(asked * 7) % elsewhere.length]]) {
        const answer = await call(id, path ?? page, { Accept: "text/html" });
        expect([path, answer.status]).toEqual([path, expect.toBeOneOf([404, 409])]);
        expect([path, answer.headers["x-nextjs-action-not-found"]]).toEqual([path, "1"]);
        asked++;
      }
    }
    const last = String((await ask("/me")).headers["x-request-id"]);
    const log = () => readFileSync(logFile).subarray(begun).toString();
    await expect.poll(log).toContain(last);
    const lines = log().split("\n");
    expect(lines.filter((line) => /^\{"level":[456]0/.test(line))).toEqual([]);
  });

  test("stays so for a call that says that this service sent it on", async () => {
    const answer = await call(actionId("previewClaim"), "/claim", { "X-Action-Forwarded": "1" });
    expect([answer.status, answer.headers["x-nextjs-action-not-found"]]).toEqual([404, "1"]);
  });

  test("is done at its own page, with or without a slash at the end", async () => {
    for (const path of ["/claim", "/claim/"]) expect((await call(actionId("previewClaim"), path)).status).toBe(200);
  });
});
