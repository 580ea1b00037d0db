import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { PAGES } from "@/lib/platform/http/pages";
import type { StoredAction } from "@/server/gate-limits";
import { actionId, allActions } from "@/tests/support/call-action";
import { ask, inParts, origin } from "@/tests/support/http";
import { type SignedIn, signedInAt } from "@/tests/support/signed-in";
import { newUsername } from "@/tests/support/user";
import { expectSuccess } from "./answers";

const { logFile, isOnVercel } = inject("service");

type Caller = Pick<SignedIn, "id" | "cookie">;

let callers: Record<string, Caller>;
beforeAll(async () => {
  const [user, admin] = [await signedInAt(origin), await signedInAt(origin, "admin")];
  callers = { nobody: { id: "", cookie: "" }, user, admin };
});

const PRESS = "0".repeat(32);
/** Arguments that no page passes. Next itself does not count them, and does what is asked with the others. */
const WRONG: unknown[][] = [[null], [[{}]], [{ a: [{}] }], ...(isOnVercel ? [] : [["a", PRESS, "one more"]])];

/** Whom a page's actions are for. They refuse others before they look at what is passed: a call each shows that. */
const IS_FOR: Record<string, (page: string) => boolean> = {
  nobody: (page) => /^\/(?:signin|signup|recover|invite|claim|link|email)/.test(page),
  user: (page) => !page.startsWith("/admin"),
  admin: (page) => page.startsWith("/admin"),
};

const call = (id: string, page: string, body: string, more: Record<string, string> = {}) =>
  ask(page, {
    method: "POST",
    headers: {
      "Next-Action": id,
      Accept: "text/x-component",
      "Content-Type": "text/plain;charset=UTF-8",
      "Content-Length": String(Buffer.byteLength(body)),
      ...more,
    },
    body,
  });
const callAs = (id: string, page: string, body: string, { cookie }: Caller) =>
  call(id, page, body, { Origin: origin, ...(cookie && { Cookie: cookie }) });

/** What is stored of these callers. */
const stored = () =>
  db.user.findMany({
    where: { id: { in: Object.values(callers).map(({ id }) => id) } },
    orderBy: { id: "asc" },
    include: { sessions: true, tokens: true, identities: true, passkeys: true, codes: true, created: true },
  });

function faultsSince(logged: number): string[] {
  const lines = readFileSync(logFile).subarray(logged).toString().split("\n");
  return lines.filter((line) => /^\{"level":[56]0/.test(line) && /an action|a package/.test(line));
}

test.each(["nobody", "user", "admin"])(
  "every action refuses arguments that no page passes in words, whoever calls: %s",
  async (who) => {
    const [before, logged] = [await stored(), readFileSync(logFile).length];
    const caller = callers[who] as Caller;
    const actions = allActions();
    expect(actions.length).toBeGreaterThan(50);
    const strange: string[] = [];
    const calls = actions.flatMap(({ id, name, page }) =>
      (IS_FOR[who]?.(page) ? WRONG : WRONG.slice(-1)).map((args) => ({ id, name, page, args })),
    );
    const make = async ({ id, name, page, args }: (typeof calls)[number]) => {
      const { status, text } = await callAs(id, page, JSON.stringify(args), caller);
      const isRefused = status === 400 || /"error":"[^"]|out of date|signed out/.test(text);
      if (status >= 500 || /\n\s+at /.test(text) || !isRefused)
        strange.push(`${name}(${JSON.stringify(args)}): ${status} ${text.slice(0, 200)}`);
    };
    await inParts(calls, make);
    expect(strange).toEqual([]);
    expect(await stored()).toEqual(before);
    expect(faultsSince(logged)).toEqual([]);
  },
);

test("bodies that React could not decode are refused before it sees them, and no fault is logged", async () => {
  if (isOnVercel) return;
  const logged = readFileSync(logFile).length;
  const { id, page } = allActions().find(({ name }) => name === "requestLink") ?? { id: "", page: "" };
  const references = ["$@1", "$1", "$h1", "$B1", "$r1", "$Q1", "$T"].map((reference) => `["${reference}"]`);
  for (const body of ["", "{", "null", '"a"', "{}", ...references])
    expect([body, (await callAs(id, page, body, callers.nobody as Caller)).status]).toEqual([body, 400]);
  expect(faultsSince(logged)).toEqual([]);
});

describe("an action", () => {
  const signUp = (username: string, from: Record<string, string>) => {
    const password = randomBytes(12).toString("hex");
    return call(actionId("createAccount"), "/signup", JSON.stringify([{ username, password }]), from);
  };

  test("that our own page calls does its work", async () => {
    const answer = await signUp(newUsername(), { Origin: origin });
    expect([answer.status, answer.text]).toEqual([200, expect.not.stringContaining("error")]);
  });

  test.each([
    ["of nobody", () => ({})],
    ["of another site, as the browser says", () => ({ Origin: origin, "Sec-Fetch-Site": "cross-site" })],
    ["of the same site and another origin", () => ({ Origin: origin, "Sec-Fetch-Site": "same-site" })],
  ])("that a page %s calls is refused in words", async (_, from) => {
    expect((await signUp(newUsername(), from())).text).toContain("This only works from this service's own pages.");
  });

  test("that a page of another scheme calls is refused in words", async () => {
    const { text } = await signUp(newUsername(), { Origin: origin.replace("http:", "https:") });
    expect(text).toMatch(
      /This only works from this service's own pages\.|in front of this service changes its address\./,
    );
  });

  test.each(["http://127.0.0.1:1", "http://evil.example", "null"])("that %s calls does nothing", async (Origin) => {
    const name = newUsername();
    const answer = await signUp(name, { Origin });
    expect(answer.text).not.toContain('{"ok"');
    expectSuccess(await ask(`/keys/check/${name}?key=a`));
    // Free still: nobody was made.
    expect((await signUp(name, { Origin: origin })).text).not.toContain("error");
  });
});

const build = `.builds/${readFileSync(".builds/current", "utf8").trim()}`;
const declared: Record<string, StoredAction> = JSON.parse(readFileSync(`${build}/actions.json`, "utf8"));

test.each(["nobody", "admin"])("every action takes as much of %s as it is declared to", async (who) => {
  if (isOnVercel) return;
  const strange: unknown[] = [];
  await inParts(allActions(), async ({ id, name, page }) => {
    const { strangersBytes, bodyBytes } = declared[id] as StoredAction;
    const most = who === "nobody" ? strangersBytes : bodyBytes;
    // One argument that no action takes.
    const send = (bytes: number) => callAs(id, page, `["${"x".repeat(bytes - 4)}"]`, callers[who] as Caller);
    const [fits, over] = [await send(most), await send(most + 1)];
    // Of somebody who is signed in it would take more.
    const why = most < bodyBytes ? "401 You're signed out." : "413 This is too long: at most ";
    const isSaid = `${over.status} ${over.body?.error}`.startsWith(why);
    if (fits.status !== 200 || !isSaid) strange.push([name, most, fits.status, over.status, over.text]);
  });
  expect(strange).toEqual([]);
});

test("a list of names of 95,000 bytes is read, and one of 401,000 refused in a sentence", async () => {
  const changeMany = (names: string) => {
    const change = [{ keyId: "0".repeat(32), change: "add", names }];
    return callAs(actionId("changeMany"), "/keys", JSON.stringify(change), callers.user as Caller);
  };
  const namesIn = (bytes: number) =>
    Array.from({ length: bytes / 15 }, () => randomBytes(7).toString("hex")).join("\n");
  const list = await changeMany(namesIn(95_000));
  expect([list.status, list.text]).toEqual([200, expect.stringContaining("500 users at a time")]);
  // Next has the same limit, and answers 500.
  if (isOnVercel) return;
  const refused = await changeMany(namesIn(401_000));
  expect([refused.status, refused.body?.error]).toEqual([
    413,
    "This is too long: at most 409,600 bytes can be sent here.",
  ]);
});

describe("an action of another page", () => {
  const ADDRESSES = [...PAGES, "/docs/", "/nothing-here"];
  const at = (id: string, path: string, more: Record<string, string> = {}) =>
    call(id, path, '["x"]', { Origin: origin, ...more });

  test("is not there, as the script of the page is told, and no fault of this service", async () => {
    const begun = readFileSync(logFile).length;
    let asked = 0;
    for (const { id, page, pages } of allActions()) {
      const elsewhere = ADDRESSES.filter((path) => !pages.includes(path.replace(/(.)\/$/, "$1")));
      for (const path of [elsewhere[asked % elsewhere.length], elsewhere[(asked * 7) % elsewhere.length]]) {
        const answer = await at(id, path ?? page, { Accept: "text/html" });
        expect([path, answer.status]).toEqual([path, expect.toBeOneOf([404, 409])]);
        expect([path, answer.headers["x-nextjs-action-not-found"]]).toEqual([path, "1"]);
        asked++;
      }
    }
    const last = String((await ask("/me")).headers["x-request-id"]);
    const log = () => readFileSync(logFile).subarray(begun).toString();
    await expect.poll(log).toContain(last);
    const lines = log().split("\n");
    // Other tests come through proxies meanwhile, of which the service warns.
    const isOfActions = (line: string) => /^\{"level":[456]0/.test(line) && !line.includes("TRUSTED_PROXIES");
    expect(lines.filter(isOfActions)).toEqual([]);
  });

  test("stays so for a call that says that this service sent it on", async () => {
    const answer = await at(actionId("previewClaim"), "/claim", { "X-Action-Forwarded": "1" });
    expect([answer.status, answer.headers["x-nextjs-action-not-found"]]).toEqual([404, "1"]);
  });

  test("is done at its own page, with or without a slash at the end", async () => {
    for (const path of ["/claim", "/claim/"]) expect((await at(actionId("previewClaim"), path)).status).toBe(200);
  });
});
