import { describe, expect, inject, it } from "vitest";
import { db } from "@/lib/db/client";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";
import { expectError, expectNotLinked, expectSuccess } from "./answers";
import { allow, approve, newCode, poll } from "./link";

const { knowsNetworks } = inject("service");

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

const escaped = (text: string) => encodeURIComponent(text);
const bytes = (text: string) => [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
const fullWidth = (text: string) =>
  escaped([...text].map((letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)).join(""));

describe("is the code of the program", () => {
  it.each<[string, (code: string) => string]>([
    ["in upper case", (code) => `code=${code}`],
    ["in lower case", (code) => `code=${code.toLowerCase()}`],
    ["in mixed case", (code) => `code=${code.slice(0, 3)}${code.slice(3).toLowerCase()}`],
    ["percent-encoded", (code) => `code=${bytes(code)}`],
    ["under a percent-encoded name", (code) => `%63ode=${code}`],
    ["beside parameters that nobody knows", (code) => `x=1&code=${code}&x=2&code%20=QQQQQQ&__proto__=1`],
    ["beside a token that is none: nobody asks for one here", (code) => `code=${code}&auth=nonsense&auth=twice`],
    ["beside a parameter that is broken", (code) => `x=%ff%00&code=${code}`],
  ])("%s", async (_, query) => {
    const { code, user } = await approvedCode();
    expect(expectSuccess(await ask(`/link/user?${query(code)}`)).body).toEqual({ linked: true, token: user.token });
  });
});

describe("is no code, and leaves the approved one that it resembles alone", () => {
  it.each<[string, (code: string) => string]>([
    ["no parameter", () => ""],
    ["a name without a value", () => "code"],
    ["nothing", () => "code="],
    ["five letters", (code) => `code=${code.slice(0, 5)}`],
    ["seven letters", (code) => `code=${code}A`],
    ["100 times the code", (code) => `code=${code.repeat(100)}`],
    ["a blank before", (code) => `code=+${code}`],
    ["a blank within", (code) => `code=${code.slice(0, 3)}%20${code.slice(3)}`],
    ["a blank after", (code) => `code=${code}%20`],
    ["a hyphen", (code) => `code=${code.slice(0, 3)}-${code.slice(3)}`],
    ["a digit", (code) => `code=${code.slice(0, 5)}8`],
    ["%00 after it", (code) => `code=${code}%00`],
    ["%00 within", (code) => `code=${code.slice(0, 3)}%00${code.slice(3)}`],
    ["%0A after it", (code) => `code=${code}%0A`],
    ["%0D%0A and a header", (code) => `code=${code}%0D%0ASet-Cookie:x=1`],
    ["abcdß, which upper-cases to six letters", () => `code=${escaped("abcdß")}`],
    ["abcdeı, which upper-cases to ABCDEI", () => `code=${escaped("abcdeı")}`],
    ["abcdeſ, which upper-cases to ABCDES", () => `code=${escaped("abcdeſ")}`],
    ["abcdﬀ, which upper-cases to ABCDFF", () => `code=${escaped("abcdﬀ")}`],
    ["the Kelvin sign for a K", (code) => `code=${code.slice(0, 5)}${escaped("\u212a")}`],
    ["full-width letters", (code) => `code=${fullWidth(code)}`],
    ["a Cyrillic letter", (code) => `code=${code.slice(0, 5)}${escaped("А")}`],
    ["an accent after it", (code) => `code=${code}%CC%81`],
    ["a blank of no width within", (code) => `code=${code.slice(0, 3)}%E2%80%8B${code.slice(3)}`],
    ["the code twice", (code) => `code=${code}&code=${code}`],
    ["the code and another", (code) => `code=${code}&code=QQQQQQ`],
    ["another and the code", (code) => `code=QQQQQQ&code=${code}`],
    ["the code and nothing", (code) => `code=${code}&code=`],
    ["code[]=", (code) => `code[]=${code}`],
    ["code%5B%5D=", (code) => `code%5B%5D=${code}`],
    ["code[0]=", (code) => `code[0]=${code}`],
    ["CODE=", (code) => `CODE=${code}`],
    ["user_code=", (code) => `user_code=${code}`],
    ["a code behind a semicolon", (code) => `x=1;code=${code}`],
    ["something behind a semicolon", (code) => `code=${code};x=1`],
    ["quotes", (code) => `code=%22${code}%22`],
    ["a wildcard for a letter", (code) => `code=${code.slice(0, 5)}_`],
    ["a wildcard for all", () => "code=%25%25%25%25%25%25"],
    ["SQL", (code) => `code=${escaped(`${code}' OR '1'='1`)}`],
    ["encoded twice", (code) => `code=${bytes(code).replaceAll("%", "%25")}`],
    ["half an escape", (code) => `code=${code}%`],
    ["bytes that are no UTF-8", () => "code=%FF%FE"],
    ["an overlong A", (code) => `code=${code.slice(0, 5)}%C1%81`],
    ["half a surrogate pair", (code) => `code=${code}%ED%A0%80`],
    ["U+FFFD", (code) => `code=${code}%EF%BF%BD`],
    ["null", () => "code=null"],
  ])("%s", async (_, query) => {
    const approved = await approvedCode();
    expectNotLinked(await ask(`/link/user?${query(approved.code)}`));
    await expectCollectable(approved);
  });

  it("100,000 characters, which not every server lets through to us", async () => {
    const approved = await approvedCode();
    const answer = await ask(`/link/user?code=${approved.code.repeat(16_667)}`).catch(
      () => "the connection was closed",
    );
    if (typeof answer !== "string" && answer.status !== 431) expectNotLinked(answer);
    await expectCollectable(approved);
  });

  it("a code in the path", async () => {
    const approved = await approvedCode();
    expectError(await ask(`/link/user/${approved.code}`), 404, "not_found");
    await expectCollectable(approved);
  });
});

/** What sends requests that nobody clicked: link scanners, chat programs, browsers that guess. */
const NOBODY_CLICKED: [string, { method?: string; headers?: Record<string, string> }, number][] = [
  ["HEAD", { method: "HEAD" }, 405],
  ["POST", { method: "POST" }, 405],
  ["PUT", { method: "PUT" }, 405],
  ["PATCH", { method: "PATCH" }, 405],
  ["DELETE", { method: "DELETE" }, 405],
  ["OPTIONS", { method: "OPTIONS" }, 204],
  ["Sec-Purpose: prefetch;prerender", { headers: { "Sec-Purpose": "prefetch;prerender" } }, 403],
  ["Purpose: prefetch", { headers: { Purpose: "prefetch" } }, 403],
  ["X-Moz: prefetch", { headers: { "X-Moz": "prefetch" } }, 403],
  ["Next-Router-Prefetch", { headers: { "Next-Router-Prefetch": "1" } }, 403],
  [
    "Sec-Fetch-Mode: no-cors, a picture in somebody's page",
    { headers: { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" } },
    403,
  ],
];

describe("does nothing", () => {
  it.each(NOBODY_CLICKED)("%s to an approved code", async (_, asking, status) => {
    const approved = await approvedCode();
    const answer = await ask("/link/user", { ...asking, query: { code: approved.code } });
    expect([answer.status, answer.headers.allow]).toEqual([
      status,
      status === 405 || status === 204 ? "GET, OPTIONS" : undefined,
    ]);
    expect(answer.text).not.toContain(approved.user.token);
    await expectCollectable(approved);
  });

  it.each(NOBODY_CLICKED)("%s where codes are made", async (_, asking, status) => {
    const program = newUsername();
    const answer = await ask("/link/code", { ...asking, headers: { "User-Agent": program, ...asking.headers } });
    expect([answer.status, answer.headers.link]).toEqual([status, undefined]);
    expect(await db.linkCode.count({ where: { program } })).toBe(0);
    await ask("/link/code", { headers: { "User-Agent": program } });
    expect(await db.linkCode.count({ where: { program } })).toBe(1);
  });

  it.each(["GET", "HEAD"])("%s of the page's address with a code in it", async (method) => {
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
  it("may ask from any page, read all that they need, and collect when the person allows that page", async () => {
    const network = newNetwork();
    const headers = { Origin: "https://game.example", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
    const asked = expectSuccess(await ask("/link/code", { headers, network: network.id }));
    expect(asked.headers["access-control-expose-headers"]).toMatch(/Link, Link-Expires-In, Link-Interval, Link-Secret/);
    const [code, user] = [String(asked.body?.code), await makeUser()];
    const again = () => ask("/link/user", { query: { code }, headers, network: network.id });
    expectNotLinked(await again());
    await approve(code, user);
    expectNotLinked(await again());
    await allow(code, user, knowsNetworks ? network.id : "unknown", headers.Origin);
    expect(expectSuccess(await again()).body).toEqual({ linked: true, token: user.token });
  });
});

describe("an account", () => {
  it("that was deleted between approval and collecting gives nothing away", async () => {
    const { code, user } = await approvedCode();
    await db.user.delete({ where: { id: user.id } });
    expectNotLinked(await poll(code));
  });
});
