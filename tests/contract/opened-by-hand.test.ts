import { beforeAll, describe, expect, test } from "vitest";
import { ask } from "@/tests/support/http";
import { makeUser, type TestUser } from "@/tests/support/user";
import { newKey } from "./keys";

// Contract, section 1: opened by hand.

const BY_HAND = {
  Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  ...{ "Sec-Fetch-Dest": "document", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "none", "Sec-Fetch-User": "?1" },
};
/** What some programs send; tests/http/opened-by-hand.test.ts has all of them. */
const PROGRAMS: Record<string, string>[] = [
  {},
  { Accept: BY_HAND.Accept },
  { ...BY_HAND, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" },
];

let user: TestUser;
beforeAll(async () => {
  user = await makeUser();
});

const byHand = (path: string, query: Record<string, string> = {}) => ask(path, { query, headers: BY_HAND });
const isPage = (answer: { headers: Record<string, unknown> }) =>
  answer.headers["content-type"] === "text/html; charset=utf-8";

describe("an address of the API that a person opens", () => {
  test("is a page that shows the JSON, without the token", async () => {
    const key = await newKey(user, { data: "<b>secret</b>" });
    for (const path of ["/me", "/keys/mine", `/keys/get/${key}`]) {
      const answer = await byHand(path, { auth: user.token });
      expect([answer.status, isPage(answer)]).toEqual([200, true]);
      expect(answer.headers).toMatchObject({ "cache-control": "no-store", "referrer-policy": "no-referrer" });
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(answer.text).toContain(user.username);
      expect(answer.text).not.toContain(user.token);
      expect(answer.text).not.toContain("<b>");
    }
  });

  test("keeps its status and headers when it refuses", async () => {
    const refused = await byHand("/keys/mine");
    expect([refused.status, isPage(refused)]).toEqual([401, true]);
    expect(refused.headers["www-authenticate"]).toBe("Bearer");
    expect(refused.text).toContain("missing_token");
    const unknown = await byHand("/keys/nothing");
    expect([unknown.status, isPage(unknown)]).toEqual([404, true]);
    expect(unknown.text).toContain("not_found");
  });

  test("changes what it changes once", async () => {
    const made = await byHand("/keys/create", { auth: user.token, data: "once", price: "1" });
    expect([made.status, isPage(made)]).toEqual([200, true]);
    const { list } = await ask("/keys/mine", { query: { auth: user.token } });
    expect(list.filter(({ data }) => data === "once")).toHaveLength(1);
  });

  test.each(["/read-files", "/link/user", "/link/status", "/link/code", "/metrics", "/openapi.json"])(
    "is what programs get at %s",
    async (path) => {
      const answer = await byHand(path, { auth: user.token });
      expect(String(answer.headers["content-type"])).toMatch(/^application\/json/);
    },
  );

  test("is text where that is for people, too", async () => {
    const answer = await byHand("/.well-known/security.txt");
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  });
});

test("programs get the same bytes and headers as ever", async () => {
  const key = await newKey(user);
  for (const [path, query] of [
    [`/keys/get/${key}`, { auth: user.token }],
    ["/keys/nothing", {}],
  ] as const) {
    const seen = [];
    for (const headers of PROGRAMS) {
      const { status, text, headers: got } = await ask(path, { query, headers });
      seen.push({ status, text, headers: { ...got, date: "", "x-request-id": "" } });
    }
    for (const one of seen) expect(one).toEqual(seen[0]);
    expect(seen[0]?.headers).toMatchObject({ "content-type": "application/json; charset=utf-8" });
  }
  const { status, headers } = await ask("/me", { headers: { ...BY_HAND, Authorization: `Bearer ${user.token}` } });
  expect([status, headers["content-type"]]).toEqual([200, "application/json; charset=utf-8"]);
});
