import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Latchkey, LatchkeyError } from "@/clients/typescript/src/latchkey";
import { importDocument } from "@/lib/files/import";
import { approve } from "@/tests/contract/link";
import { chunks, idOf, root, values } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { sized } from "@/tests/support/size";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { type Fault, type FaultyWay, faultyWay } from "./faulty-way";

const RUNS = sized(40, 1_000);
const AT_ONCE = 40;
const BOBS = 20;
const FAULTS: Fault["kind"][] = [
  "refused",
  "lost",
  "cut",
  "delayed",
  "doubled answer",
  "doubled request",
  "status",
  "truncated gzip",
];
/** More than the client repeats would only show that it gives up. */
const MOST_IN_A_ROW = 3;

/** One for each worker: what one meets in a row does not depend on the others. */
let ways: FaultyWay[];
let seed = 1;
/** Numbers that look random, the same in every run. */
const random = () => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};

let faulted = 0;

function faulty(): Promise<FaultyWay> {
  const inARow = new Map<string, number>();
  return faultyWay(origin, ({ url: path = "" }) => {
    const faults = inARow.get(path) ?? 0;
    // Each kind in turn, so that every one is met.
    const kind = FAULTS[faulted % FAULTS.length] ?? "none";
    if (faults >= MOST_IN_A_ROW || random() < 0.5 || !mayMeet(path, kind)) {
      inARow.delete(path);
      return { kind: "none" };
    }
    faulted++;
    inARow.set(path, faults + 1);
    return faultOf(kind);
  });
}

beforeAll(async () => {
  ways = await Promise.all(Array.from({ length: AT_ONCE }, faulty));
});
afterAll(() => {
  for (const way of ways ?? []) way[Symbol.dispose]();
});

/** Somebody on the way who creates a second key, or deletes one before, cannot be told from its user. */
const mayMeet = (path: string, kind: Fault["kind"]) =>
  kind !== "doubled request" || !/^\/keys\/(?:create|delete)/.test(path);

function faultOf(kind: Fault["kind"]): Fault {
  if (kind === "delayed") return { kind, ms: random() * 100 };
  if (kind === "status") return { kind, status: random() < 0.5 ? 429 : 503 };
  if (kind === "cut") return { kind, after: 1 + Math.floor(random() * 100) };
  return { kind };
}

vi.setConfig({ testTimeout: 600_000 });

/** Runs a step often, some of them at a time, each with the address of a way. */
async function often(count: number, step: (n: number, url: string) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async ({ url }: FaultyWay) => {
    while (next < count) await step(next++, url);
  };
  await Promise.all(ways.map(worker));
}

/** Creates a key as a careful program does: after an error that leaves it open, it looks before it asks again. */
async function createOnce(latchkey: Latchkey, name: string): Promise<string> {
  for (;;)
    try {
      return (await latchkey.keys.create({ data: name, price: 1, name })).key;
    } catch (error) {
      if (!(error instanceof LatchkeyError)) throw error;
      if (!["no_response", "unavailable"].includes(error.code)) throw error;
      expect(error.mayHaveHappened).toBe(true);
      for await (const key of latchkey.keys.each()) if (key.name === name) return key.key;
    }
}

test("keys are neither lost nor doubled, whatever happens on the way", async () => {
  // A user can hold only so many keys of another, so several hold them.
  const [alice, ...bobs] = (await makeUsers(1 + BOBS)) as [TestUser, ...TestUser[]];
  const bobOf = (n: number) => bobs[n % BOBS] as TestUser;
  const created = new Set<string>();
  await often(RUNS / 2, async (n, url) => {
    const latchkey = new Latchkey(url, { token: alice.token });
    const key = await createOnce(latchkey, `key ${n}`);
    const bob = bobOf(n);
    created.add(key);
    expect((await latchkey.keys.give(key, bob.username)).key).toBe(key);
    expect((await latchkey.keys.check(bob.username, key)).owned).toBe(true);
    expect((await latchkey.keys.set(key, "data", `changed ${n}`)).data).toBe(`changed ${n}`);
    if (n % 2 === 0) expect((await latchkey.keys.revoke(key, bob.username)).key).toBe(key);
    if (n % 5 === 0) expect((await latchkey.keys.delete(key)).key).toBe(key);
  });
  const kept = await new Latchkey(origin, { token: alice.token }).keys.mine();
  const expected = Array.from({ length: RUNS / 2 }, (_, n) => n).filter((n) => n % 5 !== 0);
  expect(created.size).toBe(RUNS / 2);
  expect(kept.map(({ name, data }) => [name, data]).sort()).toEqual(
    expected.map((n) => [`key ${n}`, `changed ${n}`]).sort(),
  );
  for (const { name, users } of kept) {
    const n = Number(name.replace("key ", ""));
    expect(bobOf(n).username in users, name).toBe(n % 2 === 1);
  }
});

test("documents arrive whole", async () => {
  const user = await makeUser();
  const files = Array.from({ length: 50 }, (_, n) => `${n} ${"text \u00e9 ".repeat(400)}`);
  const home = `origin/(c) users/${user.username}`;
  const entries = files.map((data, n) => ({ type: ".txt", name: `${n}`, location: home, data, id: idOf(n + 2) }));
  const document = [root(user.username), ...entries].flatMap(values);
  await importDocument(user, chunks(JSON.stringify(document)));
  await often(RUNS / 4, async (_, url) => {
    const latchkey = new Latchkey(url, { token: user.token });
    const read: string[] = [];
    for await (const entry of (await latchkey.files.read()) ?? []) if (!entry.isFolder) read.push(await entry.text());
    expect(read).toEqual(files);
  });
});

test("a link ends with the token", async () => {
  // A network gets 300 codes in 30 seconds, and each lost answer costs one.
  await often(RUNS / 8, async (_, url) => {
    // Of many at once of one account, the service refuses some.
    const user = await makeUser();
    const latchkey = new Latchkey(url);
    const token = latchkey.link({
      access: "identity",
      onCode: ({ code }) => void setTimeout(() => approve(code, user), random() * 200),
    });
    expect(await token).toMatch(/^lkt_/);
    expect((await latchkey.me()).username).toBe(user.username);
  });
});

test("and every fault was met", () => {
  const met = (fault: Fault["kind"]) => ways.reduce((sum, { counts }) => sum + (counts.get(fault) ?? 0), 0);
  for (const fault of FAULTS) expect(met(fault), fault).toBeGreaterThan(0);
});
