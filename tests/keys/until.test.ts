import { describe, expect, test, vi } from "vitest";
import { lossesOf } from "@/lib/account/losses";
import { overviewOf } from "@/lib/account/overview";
import { db } from "@/lib/db/client";
import { blockGiver, unblockGiver } from "@/lib/keys/blocks";
import { holdingOf, holdsKey } from "@/lib/keys/check";
import { createKey } from "@/lib/keys/create";
import { endedFor } from "@/lib/keys/ended";
import { findKey, keyInPath } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { leaveKeys } from "@/lib/keys/leave";
import { listKeys } from "@/lib/keys/list";
import { listHolders } from "@/lib/keys/list-holders";
import { keysOf } from "@/lib/keys/mine";
import { recordFor } from "@/lib/keys/record";
import { revealData } from "@/lib/keys/reveal";
import { trailOf } from "@/lib/keys/trail";
import type { AccessEnd } from "@/lib/keys/until";
import { hashToken } from "@/lib/tokens";
import type { Caller } from "@/lib/user";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

type Person = Caller & TestUser;
const person = (user: TestUser): Person => ({ ...user, role: "user" });
const people = async (count: number) => (await makeUsers(count)).map(person) as [Person, Person, Person];
const newKey = async (creator: Caller) => (await createKey(creator, { data: "secret", price: "1", name: "A key" })).id;
const add = async (giver: Caller, key: string, to: TestUser, end?: AccessEnd) =>
  addHolder(giver, await findKey(giver, key), to.username, end);
const inSeconds = (seconds: number) => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => `${error.status} ${error.code}`,
  );

async function mine(viewer: Caller, limit?: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of (await keysOf(viewer, { limit })).pages) keys.push(...page.map(({ id }) => id));
  return keys;
}

/** What all that reads says of this holder. */
async function seen(creator: Person, key: string, holder: Person) {
  const row = (await keyInPath.withCaller(hashToken(holder.token), { id: key })).found();
  const [list, made] = [
    await listKeys(holder, { kind: "given", search: "", page: "" }),
    await listKeys(creator, { kind: "made", search: "", page: "", sort: "-holders" }),
  ];
  const { owned, data, users } = await recordFor(holder, row);
  const told = [owned, data !== null, Object.keys(users).length === 1].concat(
    await holdsKey(holder.username, key),
    (await mine(holder)).includes(key),
    (await mine(holder, 1)).includes(key),
    (await refusal(revealData(holder, key))) === "answered",
    list.given === 1 && list.keys[0]?.id === key,
    made.keys.find(({ id }) => id === key)?.holders === 2,
    holder.username in (await recordFor(creator, await findKey(creator, key))).users,
    (await overviewOf(holder.id)).keys === 1,
    (await lossesOf(creator.id)).holders === 1,
  );
  expect(new Set(told).size, JSON.stringify(told)).toBe(1);
  return told[0];
}

/** The same at another time. Timers and the databases' clocks go on. */
async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ now: time, toFake: ["Date"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe("access with an end", () => {
  test("is there in the last millisecond, and nowhere at that second", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const end = inSeconds(3600);
    expect(await add(creator, key, holder, end)).toEqual({ user: holder.username, added: true, changed: false });
    expect(await seen(creator, key, holder)).toBe(true);
    expect(await at(end.getTime() - 1, () => seen(creator, key, holder))).toBe(true);
    for (const later of [0, 1, 1000, 365 * 86_400_000])
      expect(await at(end.getTime() + later, () => seen(creator, key, holder))).toBe(false);
    // A clock that goes back gives it back.
    expect(await at(end.getTime() - 1000, () => seen(creator, key, holder))).toBe(true);
  });

  test("stays on the creator's list as ended, and on the page of its holder", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const end = inSeconds(60);
    await add(creator, key, holder, end);
    const list = async () =>
      (await listHolders(creator, await findKey(creator, key), { search: "", page: "" })).holders;
    expect((await list()).find(({ username }) => username === holder.username)).toMatchObject({
      until: end,
      isEnded: false,
    });
    expect(await endedFor(holder, key)).toBeNull();
    await at(end.getTime(), async () => {
      expect((await list()).find(({ username }) => username === holder.username)).toMatchObject({ isEnded: true });
      expect(await endedFor(holder, key)).toEqual(end);
    });
  });

  test("gets another end or none, before and after it has ended", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const [first, second] = [inSeconds(60), inSeconds(120)];
    await add(creator, key, holder, first);
    const { since } = await findKey(holder, key);
    expect(await add(creator, key, holder, first)).toMatchObject({ added: false, changed: false });
    expect(await add(creator, key, holder)).toMatchObject({ added: false, changed: false });
    expect(await holdingOf(holder.username, key)).toEqual({ until: first });
    await at(first.getTime(), async () => {
      expect(await add(creator, key, holder, second)).toMatchObject({ added: false, changed: true });
      expect(await seen(creator, key, holder)).toBe(true);
    });
    expect((await findKey(holder, key)).since).toEqual(since);
    expect(await add(creator, key, holder, "never")).toMatchObject({ added: false, changed: true });
    expect(await add(creator, key, holder, "never")).toMatchObject({ added: false, changed: false });
    expect(await holdingOf(holder.username, key)).toEqual({ until: null });
    const events = (await trailOf(creator, await findKey(creator, key), 10)).map(({ action, detail }) => ({
      action,
      ...detail,
    }));
    const user = holder.username;
    expect(events).toEqual([
      { action: "key.until", user, from: second.toISOString() },
      { action: "key.until", user, until: second.toISOString(), from: first.toISOString() },
      { action: "key.add", user, until: first.toISOString() },
      { action: "key.create" },
    ]);
  });

  test("that has ended begins anew without an end, as if it had never been", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const end = inSeconds(60);
    await add(creator, key, holder, end);
    await at(end.getTime() + 5_000, async () => {
      expect(await add(creator, key, holder)).toMatchObject({ added: true, changed: false });
      expect((await findKey(holder, key)).since).toEqual(new Date(end.getTime() + 5_000));
    });
  });

  test("that has ended is removed by a revocation, which revokes nothing, and leaves nothing to leave", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const end = inSeconds(60);
    await add(creator, key, holder, end);
    await at(end.getTime(), async () => {
      const row = await findKey(creator, key);
      expect(await revokeHolder(creator, row, holder.username)).toMatchObject({ revoked: false });
      expect(await db.holder.count({ where: { keyId: key } })).toBe(1);
      await add(creator, key, holder, inSeconds(60));
      expect(await leaveKeys(holder, [key])).toBe(1);
    });
  });

  test("is not the creator's, and an admin cannot extend its own", async () => {
    const [creator] = await people(1);
    const admin: Caller & TestUser = { ...(await makeUser({ role: "admin" })), role: "admin" };
    const key = await newKey(creator);
    expect(await refusal(add(creator, key, creator, inSeconds(60)))).toBe("400 invalid_parameter");
    expect(await add(creator, key, creator, "never")).toMatchObject({ added: false, changed: false });
    await add(creator, key, admin, inSeconds(60));
    expect(await refusal(add(admin, key, admin, inSeconds(120)))).toBe("403 not_creator");
    expect(await at(Date.now() + 120_000, () => refusal(add(admin, key, admin)))).toBe("403 not_creator");
    expect(await refusal(add(creator, key, admin, new Date(Date.now() - 1)))).toBe("400 invalid_parameter");
  });

  test("of somebody who has blocked the creator since comes back to nobody", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const end = inSeconds(60);
    await add(creator, key, holder, end);
    await blockGiver(holder, creator.username, false);
    await at(end.getTime(), async () => {
      await add(creator, key, holder, inSeconds(60));
      expect(await holdsKey(holder.username, key)).toBe(true);
      expect(await mine(holder)).toEqual([]);
      expect(await endedFor(holder, key)).toBeNull();
      await unblockGiver(holder, creator.username);
      expect(await mine(holder)).toEqual([]);
    });
  });

  test("that has ended is not among the keys that blocking leaves", async () => {
    const [creator, holder] = await people(2);
    const [first, second] = [await newKey(creator), await newKey(creator)];
    const end = inSeconds(60);
    await add(creator, first, holder, end);
    await add(creator, second, holder);
    expect(await at(end.getTime(), () => blockGiver(holder, creator.username, true))).toMatchObject({ left: 1 });
    expect(await db.holder.count({ where: { userId: holder.id } })).toBe(0);
  });
});
