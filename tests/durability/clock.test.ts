import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import { expectError, expectNotLinked, expectSuccess } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { signInByPassword } from "@/tests/support/sign-in";
import type { TestUser } from "@/tests/support/user";
import { PASSWORD, startWithOneUser } from "./one-user";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TRIES = 5;

const folder = mkdtempSync(join(tmpdir(), "latchkey-clock-"));
const file = join(folder, "wrong-by");
const clock = { CLOCK_IS_WRONG_BY: file, NODE_OPTIONS: "--import ./tests/support/stepping-clock.mjs" };

const own = startWithOneUser(inject("target").database, () => ({ ...clock, FAILED_TOKENS_PER_MINUTE: String(TRIES) }));
let user: TestUser;

/** The operator's process has a clock of its own, which is set with the service's: both are on one machine. */
async function setClock(wrongByMs: number): Promise<void> {
  for (const pid of [own.service.pids()[0] ?? 0, own.operator.pid]) {
    writeFileSync(file, String(wrongByMs));
    process.kill(pid, "SIGUSR2");
    while (existsSync(file)) await sleep(5);
  }
}

afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  await setClock(0);
  user = await newUser();
});

const call = (path: string, query: Record<string, string> = {}, network?: string) =>
  ask(path, { query, network }, own.service.url);
const me = (auth = user.token) => call("/me", { auth });
const create = async (data: string) =>
  String(expectSuccess(await call("/keys/create", { auth: user.token, data, price: "1" })).body?.key);
const newUser = () => own.operator.tell("createUser", `c${randomBytes(6).toString("hex")}`, PASSWORD);

async function newCode(network: string): Promise<string> {
  return String(expectSuccess(await call("/link/code", {}, network)).body?.code);
}
const poll = (code: string, network: string) => call("/link/user", { code }, network);
const approve = (code: string, network: string) => own.operator.tell("approve", user.id, code, network);

async function approvedCode(network: string): Promise<string> {
  const code = await newCode(network);
  await approve(code, network);
  return code;
}

async function refuse(network: string) {
  const guess = () => call("/me", { auth: "lk_wrong" }, network);
  for (let count = 0; count < TRIES; count++) expectError(await guess(), 401, "invalid_token");
  return guess;
}

async function expectLimited(guess: () => ReturnType<typeof call>): Promise<void> {
  const refused = expectError(await guess(), 429, "rate_limited");
  expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60);
}

const seesAccount = async (cookies: string) =>
  (await ask("/account", { headers: { Cookie: cookies } }, own.service.url)).text.includes(user.username);

describe.sequential("a clock that is set", () => {
  test.each([-HOUR, DAY])("by %i ms changes nothing about tokens and keys, and ends no session early", async (step) => {
    const cookies = await signInByPassword(own.service.url, user.username, PASSWORD);
    const before = await create("before");
    await setClock(step);
    expectSuccess(await me());
    // A session from the future could be of any age.
    expect(await seesAccount(cookies)).toBe(step > 0);
    const after = await create("after");
    expectSuccess(await call(`/keys/update/${before}`, { auth: user.token, key: "data", data: "changed" }));
    const mine = (await call("/keys/mine", { auth: user.token })).list;
    expect(Object.fromEntries(mine.map(({ key, data }) => [key, data]))).toEqual({
      [before]: "changed",
      [after]: "after",
    });
    expect(await seesAccount(await signInByPassword(own.service.url, user.username, PASSWORD))).toBe(true);
    await setClock(0);
    expect(await seesAccount(cookies)).toBe(true);
  });

  test("forward by 31 days ends sessions, and signing in anew goes on", async () => {
    const cookies = await signInByPassword(own.service.url, user.username, PASSWORD);
    await setClock(31 * DAY);
    expect(await seesAccount(cookies)).toBe(false);
    expect(await seesAccount(await signInByPassword(own.service.url, user.username, PASSWORD))).toBe(true);
  });

  test("forward ends access that has an end, at its second, and back gives it again", async () => {
    const auth = user.token;
    const key = await create("d");
    const friend = await newUser();
    const end = Math.floor(Date.now() / 1000) + 3600;
    const until = String(end);
    const share = () => call(`/keys/admin_add/${key}`, { auth, key, username: friend.username, until });
    expectSuccess(await share());
    const holds = async () => {
      const told = [
        (await call(`/keys/check/${friend.username}`, { key })).body?.owned,
        (await call(`/keys/get/${key}`, { auth: friend.token })).body?.owned,
        (await call("/keys/mine", { auth: friend.token })).list.length === 1,
        Object.keys((await call(`/keys/get/${key}`, { auth })).body?.users ?? {}).includes(friend.username),
      ];
      expect(new Set(told).size).toBe(1);
      return told[0];
    };
    const toEnd = () => end * 1000 - Date.now();
    for (const [step, held] of [
      [0, true],
      [toEnd() - 30_000, true],
      [toEnd(), false],
      [DAY, false],
      [-DAY, true],
      [toEnd(), false],
      [0, true],
    ] as const) {
      await setClock(step);
      expect([step, await holds()]).toEqual([step, held]);
    }
    // What is over by the service's clock is refused, whatever the clock of its caller says.
    await setClock(HOUR + MINUTE);
    expectError(await share(), 400, "invalid_parameter");
  });

  test("forward ends codes, approved or not; a new one links", async () => {
    const network = newNetwork().id;
    const [pending, approved] = [await newCode(network), await newCode(network)];
    await approve(approved, network);
    await setClock(HOUR);
    await expect(approve(pending, network)).rejects.toThrow("This code can't be used");
    expectNotLinked(await poll(pending, network));
    expectNotLinked(await poll(approved, network));
    const fresh = await newCode(network);
    await approve(fresh, network);
    expect((await poll(fresh, network)).body).toEqual({ linked: true, token: user.token });
  });

  test("back ends codes: one that was asked for is not approved, one that was approved not collected", async () => {
    const network = newNetwork().id;
    const [pending, approved] = [await newCode(network), await newCode(network)];
    await approve(approved, network);
    await setClock(-30_000);
    expect((await poll(await approvedCode(network), network)).body).toEqual({ linked: true, token: user.token });
    await setClock(-2 * HOUR);
    await expect(approve(pending, network)).rejects.toThrow("This code can't be used");
    for (const code of [pending, approved]) {
      expect((await call("/link/status", { code }, network)).body).toEqual({ status: "expired" });
      expectNotLinked(await poll(code, network));
    }
    expect((await poll(await approvedCode(network), network)).body).toEqual({ linked: true, token: user.token });
  });

  test("by hours begins a new window of a limit, so that nobody is locked out for that long", async () => {
    const network = newNetwork().id;
    for (const step of [0, -HOUR, -2 * HOUR, HOUR]) {
      await setClock(step);
      await expectLimited(await refuse(network));
    }
    expectSuccess(await me());
  });

  test("by seconds leaves a limit as it is", async () => {
    const guess = await refuse(newNetwork().id);
    for (const step of [-30_000, 5_000]) {
      await setClock(step);
      await expectLimited(guess);
    }
  });
});
