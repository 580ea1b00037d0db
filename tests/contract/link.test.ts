import { describe, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess, expectUnknown } from "./answers";
import { approve, newCode, newCodeAndSecret, poll } from "./link";

// Clocks, repeats and what ends an approval: tests/link/collecting.test.ts.

test("/link/code answers a code and nothing else, and the rest in headers", async () => {
  const { text, headers } = expectSuccess(await ask("/link/code"));
  const code = /^\{"code":"([A-HJ-NP-Z]{6})"\}$/.exec(text)?.[1];
  expect(headers.link).toBe(`<${origin}/link?code=${code}>; rel="verification"`);
  expect(headers["link-expires-in"]).toBe("600");
  expect(headers["link-interval"]).toMatch(/^[1-9]\d*$/);
  expect(headers["link-secret"]).toMatch(/^[\w-]{43}$/);
});

test("the program gets the token of who approved, the same that every auth takes", async () => {
  const user = await makeUser();
  const code = await newCode();
  expectNotLinked(await poll(code));
  await approve(code, user);
  expect(expectSuccess(await poll(code)).text).toBe(`{"linked":true,"token":"${user.token}"}`);
  expect(expectSuccess(await ask("/me", { query: { auth: user.token } })).body?.username).toBe(user.username);
});

test("a secret in the address is none", async () => {
  const [home, user] = [newNetwork().id, await makeUser()];
  const { code, secret } = await newCodeAndSecret(home);
  const collect = () => ask("/link/user", { query: { code }, network: home, headers: { "Link-Secret": secret } });
  expectNotLinked(await collect());
  await approve(code, user);
  for (const name of ["secret", "link_secret", "Link-Secret"])
    expect((await ask("/link/user", { query: { code, [name]: secret }, network: home })).status).toBe(404);
  expect(expectSuccess(await collect()).body?.token).toBe(user.token);
});

/** A code that its program may collect now. */
async function approvedCode(): Promise<{ code: string; user: TestUser }> {
  const [code, user] = [await newCode(), await makeUser()];
  await approve(code, user);
  return { code, user };
}

/** The code was neither used up nor spoiled by what was tried with it. */
async function expectCollectable({ code, user }: { code: string; user: TestUser }) {
  expect(expectSuccess(await poll(code)).body).toEqual({ linked: true, token: user.token });
}

const escaped = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
const fullWidth = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join("");

test.each<[string, (code: string) => string]>([
  ["in upper case", (code) => `code=${code}`],
  ["in lower case", (code) => `code=${code.toLowerCase()}`],
  ["in mixed case", (code) => `code=${code.slice(0, 3)}${code.slice(3).toLowerCase()}`],
  ["percent-encoded, under such a name", (code) => `%63ode=${escaped(code)}`],
  ["beside parameters that nobody knows", (code) => `x=1&code=${code}&x=2&code%20=QQQQQQ&__proto__=1`],
  ["beside a token that is none: nobody asks for one here", (code) => `code=${code}&auth=nonsense&auth=twice`],
  ["beside a parameter that is broken", (code) => `x=%ff%00&code=${code}`],
])("is the code of the program: %s", async (_, query) => {
  const { code, user } = await approvedCode();
  expect(expectSuccess(await ask(`/link/user?${query(code)}`)).body).toEqual({ linked: true, token: user.token });
});

/** Queries by what is wrong with them, separated by blanks. The letters U to Z stand for those of the code. */
const NO_CODES: Record<string, string> = {
  "a wrong length": "code code= code=UVWXY code=UVWXYZA code=UVWXYZUVWXYZUVWXYZ code=null",
  "something around or within it":
    "code=+UVWXYZ code=UVW%20XYZ code=UVWXYZ%20 code=UVW-XYZ code=%22UVWXYZ%22 code=UVWXY8",
  "control characters": "code=UVWXYZ%00 code=UVW%00XYZ code=UVWXYZ%0A code=UVWXYZ%0D%0ASet-Cookie:x=1",
  "letters that upper-case to six, or look alike": "code=abcdß code=abcdeı code=abcdeſ code=abcdﬀ code=UVWXY\u0410",
  "other letters": "code=UVWXY\u212a code=UVWXYZ%CC%81 code=UVW%E2%80%8BXYZ",
  "two codes": "code=UVWXYZ&code=UVWXYZ code=UVWXYZ&code=QQQQQQ code=QQQQQQ&code=UVWXYZ code=UVWXYZ&code=",
  "another name": "code[]=UVWXYZ code%5B%5D=UVWXYZ code[0]=UVWXYZ CODE=UVWXYZ user_code=UVWXYZ",
  semicolons: "x=1;code=UVWXYZ code=UVWXYZ;x=1",
  "what a database might read": "code=UVWXY_ code=%25%25%25%25%25%25 code=UVWXYZ'%20OR%20'1'='1",
  "broken escapes": "code=UVWXYZ% code=%FF%FE code=UVWXY%C1%81 code=UVWXYZ%ED%A0%80 code=UVWXYZ%EF%BF%BD",
};

describe("is no code, and leaves the approved one that it resembles alone:", () => {
  async function expectNoCode(query: string) {
    expectNotLinked(await ask(`/link/user?${query}`));
    expectUnknown(await ask(`/link/status?${query}`));
  }

  test.each(Object.entries(NO_CODES))("%s", async (_, queries) => {
    const approved = await approvedCode();
    for (const query of queries.split(" ")) {
      const sent = query.replace(/[U-Z]/g, (letter) => approved.code["UVWXYZ".indexOf(letter)] ?? "");
      await expectNoCode(sent.replace(/[^\0-\x7f]/g, encodeURIComponent));
    }
    await expectCollectable(approved);
  });

  test("the code in full-width letters, encoded twice, or in the path, and no query", async () => {
    const approved = await approvedCode();
    await expectNoCode(`code=${encodeURIComponent(fullWidth(approved.code))}`);
    await expectNoCode(`code=${escaped(approved.code).replaceAll("%", "%25")}`);
    await expectNoCode("");
    expectError(await ask(`/link/user/${approved.code}`), 404, "not_found");
    await expectCollectable(approved);
  });

  test("100,000 characters, which not every server lets through to us", async () => {
    const approved = await approvedCode();
    const answer = await ask(`/link/user?code=${approved.code.repeat(16_667)}`).catch(() => undefined);
    if (answer && answer.status !== 431) expectNotLinked(answer);
    await expectCollectable(approved);
  });
});

/** What sends requests that nobody clicked: link scanners, chat programs, browsers that guess. */
const NOBODY_CLICKED: { method?: string; headers?: Record<string, string> }[] = [
  ...["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => ({ method })),
  { headers: { "Sec-Purpose": "prefetch;prerender" } },
  { headers: { Purpose: "prefetch" } },
  { headers: { "X-Moz": "prefetch" } },
  { headers: { "Next-Router-Prefetch": "1" } },
  // A picture in somebody's page.
  { headers: { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" } },
];

describe("what nobody clicked", () => {
  test("collects no code", async () => {
    const approved = await approvedCode();
    for (const asking of NOBODY_CLICKED) {
      const answer = await ask("/link/user", { ...asking, query: { code: approved.code } });
      expect(answer.status).not.toBe(200);
      expect(answer.text).not.toContain(approved.user.token);
    }
    await expectCollectable(approved);
  });

  test("makes no code", async () => {
    const program = newUsername();
    for (const asking of NOBODY_CLICKED) {
      const headers = { "User-Agent": program, ...asking.headers };
      expect((await ask("/link/code", { ...asking, headers })).headers.link).toBeUndefined();
    }
    expect(await db.linkCode.count({ where: { program } })).toBe(0);
    await ask("/link/code", { headers: { "User-Agent": program } });
    expect(await db.linkCode.count({ where: { program } })).toBe(1);
  });

  test.each(["GET", "HEAD"])("is a %s of the page's address with a code in it, and does nothing", async (method) => {
    const program = newUsername();
    const { headers } = await ask("/link/code", { headers: { "User-Agent": program } });
    const { pathname, search } = new URL(/<(.+)>/.exec(String(headers.link))?.[1] ?? "");
    for (const agent of ["Slackbot-LinkExpanding 1.0", "Mozilla/5.0 (compatible; Googlebot/2.1)"]) {
      const answer = await ask(`${pathname}${search}`, { method, headers: { "User-Agent": agent } });
      expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
    }
    expect(await db.linkCode.findMany({ where: { program } })).toMatchObject([{ status: "pending", boundAt: null }]);
  });
});

describe("programs in a browser", () => {
  test("may ask from any page, read all that they need, and collect when the person links that page", async () => {
    const network = newNetwork();
    const headers = { Origin: "https://game.example", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
    const asked = expectSuccess(await ask("/link/code", { headers, network: network.id }));
    expect(asked.headers["access-control-expose-headers"]).toMatch(/Link, Link-Expires-In, Link-Interval, Link-Secret/);
    const [code, user] = [String(asked.body?.code), await makeUser()];
    const again = () => ask("/link/user", { query: { code }, headers, network: network.id });
    expectNotLinked(await again());
    await approve(code, user);
    expectNotLinked(await ask("/link/user", { query: { code }, network: network.id }));
    expect(expectSuccess(await again()).body).toEqual({ linked: true, token: expect.stringMatching(/^lkt_/) });
  });
});
