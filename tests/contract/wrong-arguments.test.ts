import { readFileSync } from "node:fs";
import { beforeAll, expect, inject, test } from "vitest";
import { createUser } from "@/lib/accounts/create";
import { setRole } from "@/lib/accounts/role";
import { db } from "@/lib/platform/db/client";
import { allActions } from "@/tests/support/call-action";
import { ask, origin } from "@/tests/support/http";
import { newUsername, signInByPassword } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const { logFile, isOnVercel } = inject("service");

interface Caller {
  id: string;
  cookie: string;
}

async function newCaller(role: "admin" | "user"): Promise<Caller> {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD });
  if (role === "admin") await setRole(username, role);
  return { id, cookie: await signInByPassword(origin, username, PASSWORD) };
}

let callers: Record<string, Caller>;
beforeAll(async () => {
  callers = { nobody: { id: "", cookie: "" }, user: await newCaller("user"), admin: await newCaller("admin") };
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

const AT_ONCE = 8;

const call = (id: string, page: string, body: string, { cookie }: Caller) =>
  ask(page, {
    method: "POST",
    headers: {
      "Next-Action": id,
      Accept: "text/x-component",
      Origin: origin,
      "Content-Type": "text/plain;charset=UTF-8",
      "Content-Length": String(Buffer.byteLength(body)),
      ...(cookie && { Cookie: cookie }),
    },
    body,
  });

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
      const { status, text } = await call(id, page, JSON.stringify(args), caller);
      const isRefused = status === 400 || /"error":"[^"]|out of date|signed out/.test(text);
      if (status >= 500 || /\n\s+at /.test(text) || !isRefused)
        strange.push(`${name}(${JSON.stringify(args)}): ${status} ${text.slice(0, 200)}`);
    };
    for (let from = 0; from < calls.length; from += AT_ONCE)
      await Promise.all(calls.slice(from, from + AT_ONCE).map(make));
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
    expect([body, (await call(id, page, body, callers.nobody as Caller)).status]).toEqual([body, 400]);
  expect(faultsSince(logged)).toEqual([]);
});
