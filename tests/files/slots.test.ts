import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { received, SLOTS, type Slot } from "@/lib/files/import/arrival";
import { db } from "@/lib/platform/db/client";
import { chunks, smallDocument } from "@/tests/support/documents";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

const { graceMs } = SLOTS;
afterEach(() => Object.assign(SLOTS, { graceMs }));

const importing = (user: TestUser, network: string, source = chunks(JSON.stringify(smallDocument(user.username)))) =>
  importDocument(user, source, { network }).then(
    () => "done",
    (error) => error?.code ?? String(error),
  );

/** Clients that send a byte now and then, until they are told to go away; `outcomes` has those that were refused. */
async function dripping(count: number, networkOf: (n: number) => string) {
  const ended = new AbortController();
  const outcomes: string[] = [];
  const users = await makeUsers(count);
  const refused = new Set<TestUser>();
  let begun = 0;
  async function* source() {
    begun++;
    while (!ended.signal.aborted) {
      yield Buffer.from(" ");
      await sleep(20, undefined, { signal: ended.signal }).catch(() => {});
    }
    throw new Error("the client went away");
  }
  const all = users.map(async (user, n) => {
    const outcome = await importing(user, networkOf(n), source());
    if (!ended.signal.aborted) refused.add(user);
    outcomes.push(outcome);
  });
  const end = async () => {
    ended.abort();
    await Promise.all(all);
    return outcomes;
  };
  onTestFinished(async () => void (await end()));
  await expect.poll(() => begun).toBe(count);
  return { users, refused, end };
}
const everywhere = (n: number) => `198.51.100.${n}`;

// One after another: the places are the process's.
describe("places to import", { sequential: true }, () => {
  test("go to those who wait if their holders send too slowly", async () => {
    SLOTS.graceMs = 300;
    const { end } = await dripping(8, everywhere);
    await sleep(2 * SLOTS.graceMs);
    for (const [n, user] of (await makeUsers(3)).entries())
      expect(await importing(user, `203.0.113.${n}`)).toBe("done");
    const slow = (await end()).filter((code) => code === "too_slow");
    expect([1, 2, 3]).toContain(slow.length);
  });

  test("are eight, left to slow holders while these have only begun; who gets none is told when to come", async () => {
    const { users, end } = await dripping(8, everywhere);
    const late = await makeUser();
    let isEnded = false;
    async function* document() {
      try {
        yield* chunks(JSON.stringify(smallDocument(late.username)));
      } finally {
        isEnded = true;
      }
    }
    await expect(importDocument(late, document(), { network: "203.0.113.1" })).rejects.toMatchObject({
      status: 503,
      code: "too_many_imports",
      headers: { "Retry-After": expect.stringMatching(/^\d+$/) },
    });
    expect(isEnded).toBe(true);
    expect(await end()).not.toContain("too_slow");
    const userId = { in: [...users, late].map(({ id }) => id) };
    expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
    for (const user of users) expect(await importing(user, "203.0.113.1")).toBe("done");
  });

  test("are not all for one network, nor two for one user", async () => {
    const network = "198.51.100.1";
    const { users, refused, end } = await dripping(4, () => network);
    const elsewhere = await makeUsers(5);
    for (const user of elsewhere.slice(1)) expect(await importing(user, network)).toBe("too_many_imports");
    for (const user of elsewhere.slice(0, 1)) expect(await importing(user, "203.0.113.1")).toBe("done");
    for (const user of users) expect(await importing(user, "203.0.113.1", chunks("[]"))).toBe("import_running");
    expect(refused.size).toBe(0);
    await end();
    for (const user of elsewhere.slice(1)) expect(await importing(user, network)).toBe("done");
  });
});

const slot = (): Slot => ({
  names: [],
  began: Date.now(),
  arrived: 0,
  waitedMs: 0,
  waitsSince: undefined,
  eviction: new AbortController(),
});

test("a running import holds none of the chunks that have passed", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const passed: WeakRef<Uint8Array>[] = [];
  async function* source() {
    for (let n = 0; n < 50; n++) {
      const chunk = new Uint8Array(64 * 1024);
      passed.push(new WeakRef(chunk));
      yield chunk;
    }
  }
  const arriving = received(source(), slot());
  for (let n = 0; n < 50; n++) await arriving.next();
  await sleep(10);
  collect();
  // The last one may still be on its way.
  expect(passed.filter((chunk) => chunk.deref()).length).toBeLessThanOrEqual(1);
  await arriving.return(undefined);
});

test("a running import that loses its place ends immediately, whether or not it waits for its sender", async () => {
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    await new Promise(() => {});
  }
  for (const isWaiting of [true, false]) {
    const position = slot();
    const arriving = received(silent(), position);
    await arriving.next();
    const next = isWaiting ? arriving.next() : undefined;
    position.eviction.abort(new Error("too slow"));
    await expect(next ?? arriving.next()).rejects.toThrow("too slow");
  }
});
