import { constants, inflateRawSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { accountArchive } from "@/lib/account/archive";
import { deleteAccount } from "@/lib/account/delete";
import { keysLostBy } from "@/lib/account/losses";
import { overviewOf } from "@/lib/account/overview";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { blockedGivers, blockGiver, unblockGiver } from "@/lib/keys/blocks";
import { holdsKey } from "@/lib/keys/check";
import { acceptClaim } from "@/lib/keys/claims/claim";
import { createClaimLinks, type WantedLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { findKey, keyInPath } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { listKeys } from "@/lib/keys/list";
import { listHolders } from "@/lib/keys/list-holders";
import { keysOf } from "@/lib/keys/mine";
import { recordFor } from "@/lib/keys/record";
import { revealData } from "@/lib/keys/reveal";
import { trailOf } from "@/lib/keys/trail";
import { hashToken } from "@/lib/tokens";
import type { Caller } from "@/lib/user";
import { makeKeys } from "@/tests/keys/make-keys";
import { newNetwork } from "@/tests/support/network";
import { makeUser, makeUsers, signedIn, type TestUser } from "@/tests/support/user";

vi.hoisted(() => Object.assign(process.env, { KEYS_HELD_FROM_OTHERS: "30", KEYS_HELD_PER_GIVER: "10" }));

type Person = Caller & TestUser;
const person = (user: TestUser): Person => ({ ...user, role: "user" });
const people = async (count: number) => (await makeUsers(count)).map(person) as [Person, Person, Person, Person];
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => `${error.status} ${error.code}`,
  );
const newKey = async (creator: Caller) =>
  (await createKey(creator, { data: "a secret", price: "1", name: "A gift" })).id;
const give = async (giver: Caller, keyId: string, to: TestUser) =>
  addHolder(giver, await findKey(giver, keyId), to.username);
const gift = async (giver: Caller, to: TestUser) => give(giver, await newKey(giver), to);

async function mine(viewer: Caller): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of (await keysOf(viewer, {})).pages) keys.push(...page.map(({ id }) => id));
  return keys;
}

test("strangers who fill a user's list leave room for what the user accepts", async () => {
  const [another, victim] = await people(2);
  const wanted = await newKey(another);
  for (const stranger of await people(3))
    for (let n = 0; n < env.KEYS_HELD_PER_GIVER; n++) await gift(stranger, victim);
  expect(await refusal(give(another, wanted, victim))).toBe("403 holder_limit");
  const wish: WantedLinks = { links: 1, most: 1, days: null, openDays: 30, note: "" };
  const { links } = await createClaimLinks(another, await findKey(another, wanted), wish, {
    origin: "https://k.example",
  });
  expect(await acceptClaim(victim, links[0]?.split("#")[1] ?? "", newNetwork())).toMatchObject({ claimed: true });
  expect(await mine(victim)).toHaveLength(env.KEYS_HELD_FROM_OTHERS + 1);
});

describe("one giver", () => {
  test("fills only a part of what a user can hold, even with concurrent requests; others can still give", async () => {
    const [giver, another, victim] = await people(3);
    const keys = await Promise.all(Array.from({ length: env.KEYS_HELD_PER_GIVER + 6 }, () => newKey(giver)));
    const codes = await Promise.all(keys.map((key) => refusal(give(giver, key, victim))));
    expect(codes.filter((code) => code === "answered")).toHaveLength(env.KEYS_HELD_PER_GIVER);
    expect(codes.filter((code) => code === "403 holder_limit")).toHaveLength(6);
    expect(await gift(another, victim)).toMatchObject({ added: true });
    // An admin who gives on its behalf gives nothing more of it.
    const admin: Caller = { ...(await makeUser({ role: "admin" })), role: "admin" };
    expect(await refusal(give(admin, keys.at(-1) ?? "", victim))).toMatch(/answered|403 holder_limit/);
    expect(await mine(victim)).toHaveLength(env.KEYS_HELD_PER_GIVER + 1);
    // One that is given back makes room.
    const [first] = (await mine(victim)) as [string];
    await revokeHolder(victim, await findKey(victim, first), victim.username);
    expect(await gift(giver, victim)).toMatchObject({ added: true });
  });
});

describe("a giver who is blocked", () => {
  /** Somebody who blocked a giver, and a key that was given afterwards. */
  async function afterBlocking() {
    const [giver, victim] = await people(2);
    const before = await newKey(giver);
    await give(giver, before, victim);
    await blockGiver(victim, giver.username.toUpperCase(), false);
    const key = await newKey(giver);
    return { giver, victim, before, key, answer: await give(giver, key, victim) };
  }

  test("gives nothing: what was given before stays, what comes later is not held", async () => {
    const { giver, victim, before, key } = await afterBlocking();
    expect(await mine(victim)).toEqual([before]);
    const { found } = await keyInPath.withCaller(hashToken(victim.token), { id: key });
    expect(await recordFor(victim, found())).toMatchObject({ data: null, owned: false, owns: false, users: {} });
    expect(await refusal(revealData(victim, key))).toBe("403 not_holder");
    expect(await listKeys(victim, { kind: "given", search: "", page: "" })).toMatchObject({
      given: 1,
      keys: [{ id: before, ofCreator: 1 }],
    });
    expect((await overviewOf(victim.id)).keys).toBe(1);
    expect((await keysOf(victim, { limit: 1 })).next).toBeUndefined();
    expect(await revealData(victim, before)).toBe("a secret");
    expect(await revealData(giver, key)).toBe("a secret");
  });

  test("cannot find out: every answer is the one about somebody who took the key", async () => {
    const { giver, victim, key, answer } = await afterBlocking();
    const other = person(await makeUser());
    const given = await give(giver, key, other);
    expect(answer).toEqual({ user: victim.username, added: true, changed: false });
    expect(given).toEqual({ user: other.username, added: true, changed: false });
    const row = await findKey(giver, key);
    expect(Object.keys((await recordFor(giver, row)).users).toSorted()).toEqual(
      [giver, victim, other].map(({ username }) => username).toSorted(),
    );
    expect(await Promise.all([victim, other].map(({ username }) => holdsKey(username, key)))).toEqual([true, true]);
    expect((await listHolders(giver, row, { search: "", page: "" })).total).toBe(3);
    expect(await give(giver, key, victim)).toEqual({ user: victim.username, added: false, changed: false });
    expect((await trailOf(giver, row, 10)).map(({ action, detail }) => [action, detail.user])).toContainEqual([
      "key.add",
      victim.username,
    ]);
    expect(await revokeHolder(giver, row, victim.username)).toEqual({ user: victim.username, revoked: true });
    expect(await revokeHolder(giver, row, victim.username)).toEqual({ user: victim.username, revoked: false });
    expect(await holdsKey(victim.username, key)).toBe(false);
  });

  test("meets the limits where everybody else does, and takes no room from others", async () => {
    const { giver, victim } = await afterBlocking();
    for (let n = 2; n < env.KEYS_HELD_PER_GIVER; n++) expect(await gift(giver, victim)).toMatchObject({ added: true });
    expect(await refusal(gift(giver, victim))).toBe("403 holder_limit");
    const others = await people(3);
    const keys = await Promise.all(others.map((other) => makeKeys(other, other, env.KEYS_HELD_PER_GIVER)));
    let taken = 0;
    for (const [index, ids] of keys.entries())
      for (const id of ids) if ((await refusal(give(others[index] as Person, id, victim))) === "answered") taken++;
    // The one from before the block counts, those after it do not.
    expect(taken).toBe(env.KEYS_HELD_FROM_OTHERS - 1);
  });

  test("is taken off the list by who never held the key, if that person wants it", async () => {
    const { giver, victim, key } = await afterBlocking();
    await revokeHolder(victim, await findKey(victim, key), victim.username);
    expect(await holdsKey(victim.username, key)).toBe(false);
    expect(await give(giver, key, victim)).toMatchObject({ added: true });
    expect(await mine(victim)).not.toContain(key);
  });

  test("gives again once unblocked, and nothing of what came meanwhile", async () => {
    const { giver, victim, key, before } = await afterBlocking();
    expect((await blockedGivers(victim)).map(({ username }) => username)).toEqual([giver.username]);
    await unblockGiver(victim, giver.username);
    expect(await blockedGivers(victim)).toEqual([]);
    expect(await mine(victim)).toEqual([before]);
    expect(await holdsKey(victim.username, key)).toBe(false);
    expect(await give(giver, key, victim)).toMatchObject({ added: true });
    expect(await mine(victim)).toEqual([before, key]);
    expect((await trailOf(giver, await findKey(giver, key), 10)).map(({ action }) => action)).toEqual([
      "key.add",
      "key.revoke",
      "key.add",
      "key.create",
    ]);
  });

  test("tells nobody of keys that were never held when the account goes", async () => {
    const { giver, victim, before } = await afterBlocking();
    await revokeHolder(giver, await findKey(giver, before), victim.username);
    await deleteAccount(await signedIn(giver), { username: giver.username, password: "" }, newNetwork());
    expect(await keysLostBy(victim.id)).toEqual([]);
    expect(await blockedGivers(victim)).toEqual([]);
    expect(await db.holder.count({ where: { userId: victim.id } })).toBe(0);
  });
});

describe("blocking", () => {
  test("can leave all keys of the giver at once, hundreds too, and those of nobody else", async () => {
    const [giver, another, victim] = await people(3);
    await gift(another, victim);
    const ids = await makeKeys(giver, victim, 450);
    await newKey(victim);
    expect(await blockGiver(victim, giver.username, true)).toEqual({ giver: giver.username, left: 450 });
    expect(await mine(victim)).toHaveLength(2);
    expect(await holdsKey(victim.username, String(ids[0]))).toBe(false);
    const [event] = await trailOf(giver, await findKey(giver, String(ids[7])), 1);
    expect(event).toMatchObject({ action: "key.revoke", actor: victim.username, detail: { user: victim.username } });
    expect(await blockGiver(victim, giver.username, true)).toEqual({ giver: giver.username, left: 0 });
  });

  test("refuses oneself and unknown users, and belongs to one user", async () => {
    const [one, two] = await people(2);
    expect(await refusal(blockGiver(one, one.username, false))).toBe("400 invalid_parameter");
    expect(await refusal(blockGiver(one, "nobody-here", false))).toBe("404 user_not_found");
    await blockGiver(one, two.username, false);
    expect(await blockedGivers(two)).toEqual([]);
    await unblockGiver(two, one.username);
    expect(await blockedGivers(one)).toHaveLength(1);
  });

  test("while keys are given: none is held that came after it", async () => {
    const [giver, victim] = await people(2);
    const keys = await Promise.all(Array.from({ length: 8 }, () => newKey(giver)));
    await Promise.all([...keys.map((key) => give(giver, key, victim)), blockGiver(victim, giver.username, true)]);
    const held = await db.holder.findMany({ where: { userId: victim.id } });
    // Left, and then given again or not: whoever came before the block was left, whoever came after it is hidden.
    expect(held.filter(({ hiddenAt }) => hiddenAt === null)).toEqual([]);
  });

  test("stands in the archive of everything that is kept", async () => {
    const [giver, victim] = await people(2);
    await blockGiver(victim, giver.username, false);
    const chunks: Uint8Array[] = [];
    for await (const chunk of accountArchive(victim)) chunks.push(chunk);
    const zip = Buffer.concat(chunks);
    const start = 30 + zip.readUInt16LE(26) + zip.readUInt16LE(28);
    expect(inflateRawSync(zip.subarray(start), { finishFlush: constants.Z_SYNC_FLUSH }).toString()).toContain(
      giver.username,
    );
  });
});
