import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { ownFolder } from "@/tests/support/place";
import { newNetwork } from "@/tests/support/request";
import { signInByPassword, type TestUser } from "@/tests/support/user";
import { PASSWORD, startWithOneUser } from "./one-user";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const TRIES = 5;

const folder = ownFolder("clock");
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
