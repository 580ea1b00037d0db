import { constants, inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findKey, keyInPath } from "@/lib/keys/access";
import { blockedGivers, blockGiver, unblockGiver } from "@/lib/keys/block";
import { revealData } from "@/lib/keys/data";
import { listHolders, listKeys } from "@/lib/keys/list";
import { recordFor } from "@/lib/keys/record";
import { hashToken } from "@/lib/platform/crypto/tokens";
import { db, postgresPool } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { accountArchive } from "@/lib/user-data/archive";
import { deleteAccount, keysLostBy } from "@/lib/user-data/delete";
import { overviewOf } from "@/lib/user-data/overview";
import { bytesOf } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUsers, signedIn, type TestUser } from "@/tests/support/user";
import {
  add,
  claim,
  claimLinks,
  heldBy,
  holdsKey,
  makeAdmin,
  makeKeys,
  newKey,
  type Person,
  people,
  person,
  revoke,
  trail,
} from "./keys";

const [KEYS_HELD_FROM_OTHERS, KEYS_HELD_PER_GIVER] = [30, 10];
const usual = { ...env };
beforeAll(() => void Object.assign(env, { KEYS_HELD_FROM_OTHERS, KEYS_HELD_PER_GIVER }));
afterAll(() => void Object.assign(env, usual));
const gift = async (giver: Person, to: TestUser) => add(giver, await newKey(giver), to);

test("a user can block a thousand people, and then unblocks one before another", async () => {
  const [caller, another] = await people(2);
  const givers = await makeUsers(1_000);
  await db.blockedGiver.createMany({
    data: givers.map(({ id }) => ({ userId: caller.id, giverId: id, since: new Date() })),
  });
  expect(await codeOf(blockGiver(caller, another.username))).toBe("block_limit");
  const [first = another] = givers;
  await blockGiver(caller, first.username);
  await unblockGiver(caller, first.username);
  expect(await codeOf(blockGiver(caller, another.username))).toBe("ok");
});

test("strangers who fill a user's list leave room for what the user accepts", async () => {
  const [another, victim] = await people(2);
  const key = await newKey(another);
  for (const stranger of await people(3)) for (let n = 0; n < KEYS_HELD_PER_GIVER; n++) await gift(stranger, victim);
  expect(await codeOf(add(another, key, victim))).toBe("holder_limit");
  expect(await claim(victim, (await claimLinks(another, key))[0])).toMatchObject({ claimed: true });
  expect(await heldBy(victim)).toHaveLength(KEYS_HELD_FROM_OTHERS + 1);
});

test("one giver fills only a part of what a user can hold, even at once; others can still give", async () => {
  const [giver, another, victim] = await people(3);
  const keys = await Promise.all(Array.from({ length: KEYS_HELD_PER_GIVER + 6 }, () => newKey(giver)));
  const codes = await Promise.all(keys.map((key) => codeOf(add(giver, key, victim))));
  expect(codes.toSorted()).toEqual([...Array(6).fill("holder_limit"), ...Array(KEYS_HELD_PER_GIVER).fill("ok")]);
  expect(await gift(another, victim)).toMatchObject({ added: true });
  // An admin who gives on its behalf gives nothing more of it.
  const refused = keys[codes.indexOf("holder_limit")] ?? "";
  expect(await codeOf(add(await makeAdmin(), refused, victim))).toBe("holder_limit");
  expect(await heldBy(victim)).toHaveLength(KEYS_HELD_PER_GIVER + 1);
  // One that is given back makes room.
  const accepted = keys[codes.indexOf("ok")] ?? "";
  await revoke(victim, accepted, victim);
  expect(await add(giver, refused, victim)).toMatchObject({ added: true });
});

describe("a giver who is blocked", () => {
  async function afterBlocking() {
    const [giver, victim] = await people(2);
    const before = await newKey(giver);
    await add(giver, before, victim);
    await blockGiver(victim, giver.username.toUpperCase());
    const key = await newKey(giver);
    return { giver, victim, before, key, result: await add(giver, key, victim) };
  }

  test("gives nothing: what was given before stays, what comes later is not held", async () => {
    const { giver, victim, before, key } = await afterBlocking();
    for (const limit of [undefined, 1]) expect(await heldBy(victim, limit)).toEqual([before]);
    const { subject } = await keyInPath.withCaller(hashToken(victim.token), { id: key });
    expect(await recordFor(victim, subject())).toMatchObject({ data: null, owned: false, owns: false, users: {} });
    expect(await codeOf(revealData(victim, key))).toBe("not_holder");
    expect(await listKeys(victim, { kind: "given", search: "", page: "" })).toMatchObject({
      received: 1,
      keys: [{ id: before, ofCreator: 1 }],
    });
    expect((await overviewOf(victim.id)).keys).toBe(1);
    expect([await revealData(victim, before), await revealData(giver, key)]).toEqual(["secret", "secret"]);
  });

  test("cannot find out: every answer is the one about somebody who took the key", async () => {
    const { giver, victim, key, result } = await afterBlocking();
    const other = await person();
    const [accepted, names] = [await add(giver, key, other), [giver, victim, other].map(({ username }) => username)];
    expect(result).toEqual({ user: victim.username, added: true, changed: false });
    expect(accepted).toEqual({ user: other.username, added: true, changed: false });
    const row = await findKey(giver, key);
    expect(Object.keys((await recordFor(giver, row)).users).sort()).toEqual(names.sort());
    for (const { username } of [victim, other]) expect(await holdsKey(username, key)).toBe(true);
    expect((await listHolders(giver, row, { search: "", page: "" })).total).toBe(3);
    expect(await add(giver, key, victim)).toEqual({ user: victim.username, added: false, changed: false });
    const events = (await trail(giver, key)).map(({ action, detail }) => [action, detail.user]);
    expect(events).toContainEqual(["key.add", victim.username]);
    expect(await revoke(giver, key, victim)).toEqual({ user: victim.username, revoked: true });
    expect(await revoke(giver, key, victim)).toEqual({ user: victim.username, revoked: false });
    expect(await holdsKey(victim.username, key)).toBe(false);
  });

  test("meets the limits where everybody else does, and takes no room from others", async () => {
    const { giver, victim } = await afterBlocking();
    for (let n = 2; n < KEYS_HELD_PER_GIVER; n++) expect(await gift(giver, victim)).toMatchObject({ added: true });
    expect(await codeOf(gift(giver, victim))).toBe("holder_limit");
    const codes: string[] = [];
    for (const other of await people(3))
      for (const key of await makeKeys(other, other, { count: KEYS_HELD_PER_GIVER }))
        codes.push(await codeOf(add(other, key, victim)));
    // The one from before the block counts, those after it do not.
    expect(codes.filter((code) => code === "ok")).toHaveLength(KEYS_HELD_FROM_OTHERS - 1);
  });

  test("is taken off the list by who never held the key, if that person wants it", async () => {
    const { giver, victim, key } = await afterBlocking();
    await revoke(victim, key, victim);
    expect(await holdsKey(victim.username, key)).toBe(false);
    expect(await add(giver, key, victim)).toMatchObject({ added: true });
    expect(await heldBy(victim)).not.toContain(key);
  });

  test("gives again once unblocked, and nothing of what came meanwhile", async () => {
    const { giver, victim, key, before } = await afterBlocking();
    expect((await blockedGivers(victim)).map(({ username }) => username)).toEqual([giver.username]);
    await unblockGiver(victim, giver.username);
    expect(await blockedGivers(victim)).toEqual([]);
    expect(await heldBy(victim)).toEqual([before]);
    expect(await holdsKey(victim.username, key)).toBe(false);
    expect(await add(giver, key, victim)).toMatchObject({ added: true });
    expect(await heldBy(victim)).toEqual([before, key]);
    const actions = (await trail(giver, key)).map(({ action }) => action);
    expect(actions).toEqual(["key.add", "key.revoke", "key.add", "key.create"]);
  });

  test("has given none of three thousand keys once unblocking is answered", async () => {
    // PostgreSQL's statistics are those of before, when these two had none.
    await postgresPool()?.query("ANALYZE");
    const { giver, victim, before } = await afterBlocking();
    await makeKeys(giver, victim, { count: 3_000 });
    await db.holder.updateMany({
      where: { userId: victim.id, keyId: { not: before } },
      data: { hiddenAt: new Date() },
    });
    await unblockGiver(victim, giver.username);
    expect(await db.holder.count({ where: { userId: victim.id } })).toBe(1);
  });

  test("tells nobody of keys that were never held when the account goes", async () => {
    const { giver, victim, before } = await afterBlocking();
    await revoke(giver, before, victim);
    await deleteAccount(await signedIn(giver), { username: giver.username, password: "" }, { network: newNetwork() });
    expect(await keysLostBy(victim.id)).toEqual([]);
    expect(await blockedGivers(victim)).toEqual([]);
    expect(await db.holder.count({ where: { userId: victim.id } })).toBe(0);
  });
});

describe("blocking", () => {
  test("can leave all keys of the giver at once, hundreds too, and those of nobody else", async () => {
    const [giver, another, victim] = await people(3);
    await gift(another, victim);
    const ids = await makeKeys(giver, victim, { count: 450 });
    await newKey(victim);
    expect(await blockGiver(victim, giver.username, { andLeave: true })).toEqual({ giver: giver.username, left: 450 });
    expect(await heldBy(victim)).toHaveLength(2);
    expect(await holdsKey(victim.username, String(ids[0]))).toBe(false);
    const [event] = await trail(giver, String(ids[7]));
    expect(event).toMatchObject({ action: "key.revoke", actor: victim.username, detail: { user: victim.username } });
    expect(await blockGiver(victim, giver.username, { andLeave: true })).toEqual({ giver: giver.username, left: 0 });
  });

  test("refuses oneself and unknown users, and belongs to one user", async () => {
    const [one, two] = await people(2);
    expect(await codeOf(blockGiver(one, one.username))).toBe("invalid_parameter");
    expect(await codeOf(blockGiver(one, "nobody-here"))).toBe("user_not_found");
    await blockGiver(one, two.username);
    expect(await blockedGivers(two)).toEqual([]);
    await unblockGiver(two, one.username);
    expect(await blockedGivers(one)).toHaveLength(1);
  });

  test("while keys are given: none is held that came after it", async () => {
    const [giver, victim] = await people(2);
    const keys = await Promise.all(Array.from({ length: 8 }, () => newKey(giver)));
    await Promise.all([
      ...keys.map((key) => add(giver, key, victim)),
      blockGiver(victim, giver.username, { andLeave: true }),
    ]);
    // Left, and then given again or not: whoever came before the block was left, whoever came after it is hidden.
    expect(await db.holder.count({ where: { userId: victim.id, hiddenAt: null } })).toBe(0);
  });

  test("stands in the archive of everything that is kept", async () => {
    const [giver, victim] = await people(2);
    await blockGiver(victim, giver.username);
    const zip = await bytesOf(accountArchive(victim));
    const content = zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28));
    expect(inflateRawSync(content, { finishFlush: constants.Z_SYNC_FLUSH }).toString()).toContain(giver.username);
  });
});
