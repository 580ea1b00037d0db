import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { GET as get } from "@/app/(api)/keys/get/[id]/route";
import { GET as mine } from "@/app/(api)/keys/mine/route";
import { findKey } from "@/lib/keys/access";
import { dataOfEach, revealData } from "@/lib/keys/data";
import { damagedKeys } from "@/lib/keys/examine";
import { acceptOffer, offerAllKeys, offerKey } from "@/lib/keys/offers";
import { recordFor } from "@/lib/keys/record";
import type { KeyRecord } from "@/lib/keys/schema";
import { updateKey } from "@/lib/keys/update";
import { currentDataKey, newKeyBytes } from "@/lib/platform/crypto/data-keys";
import { forgetUserKeys, userKey, userKeys, wrapUserKey } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { add, makeAdmin, newKey as newKeyOf, type People, type Person, people, person } from "./keys";

/** As many users' keys as a process remembers (docs/security.md). */
const REMEMBERED_KEYS = 10_000;

const newKey = (creator: Person, data: string) => newKeyOf(creator, { data, price: "17" });
const stored = (id: string) => db.key.findUniqueOrThrow({ where: { id } });
const request = async (handler: typeof get, path: string, { token }: Person) => {
  const response = await handler(new Request(`http://localhost${path}?auth=${token}`));
  return { status: response.status, body: JSON.parse(await response.text()) };
};

let [one, other] = [] as unknown as People;
beforeAll(async () => {
  [one, other] = await people(2);
});

describe("what a key carries", () => {
  test("is sealed by every change: shorter, longer, empty", async () => {
    const id = await newKey(one, "first secret");
    for (const value of ["short", "much longer than what was there before", ""]) {
      const changed = await updateKey(one, await findKey(one, id), { field: "data", value });
      expect(changed).toMatchObject({ data: value, changed: true });
      expect(await stored(id)).toMatchObject({ sealedWith: 1, dataBytes: value.length });
      expect((await stored(id)).data).toHaveLength(4 * Math.ceil((28 + value.length) / 3));
      expect(await revealData(one, id)).toBe(value);
    }
  });

  test("is sealed for its creator when an administrator changes it", async () => {
    const admin = await makeAdmin();
    const id = await newKey(one, "first");
    await updateKey(admin, await findKey(admin, id), { field: "data", value: "set by an administrator" });
    expect(await db.userKey.count({ where: { userId: admin.id } })).toBe(0);
    expect(await revealData(one, id)).toBe("set by an administrator");
  });

  test("is sealed anew for whoever accepts it, of one key and of all", async () => {
    const giver = await person();
    const ids = [await newKey(giver, "first gift"), await newKey(giver, "second gift")];
    await offerKey(giver, await findKey(giver, ids[0] ?? ""), other.username);
    await offerAllKeys(giver, other.username);
    const before = await Promise.all(ids.map(stored));
    for (const id of ids) {
      forgetUserKeys();
      await acceptOffer(other, id);
    }
    const after = await Promise.all(ids.map(stored));
    for (const [n, row] of after.entries()) expect(row.data).not.toBe(before[n]?.data);
    await db.userKey.deleteMany({ where: { userId: giver.id } });
    forgetUserKeys();
    expect(await Promise.all(ids.map((id) => revealData(giver, id)))).toEqual(["first gift", "second gift"]);
  });

  test("is in the list of keys, however many users' keys the process has learned, and forgotten, since", async () => {
    const holder = await person();
    const creators = await people(40);
    const ids: string[] = [];
    for (const creator of creators) {
      const id = await newKey(creator, `of ${creator.username}`);
      await add(creator, id, holder);
      ids.push(id);
    }
    const newest = await currentDataKey();
    const numbers = Array.from({ length: REMEMBERED_KEYS - 10 }, (_, n) => n + 2);
    const others = numbers.map((number) => ({ userId: one.id, number }));
    const wrapped = others.map((by) => ({
      ...by,
      dataKeyId: newest.id,
      wrapped: wrapUserKey(by, newKeyBytes(), newest.key),
      createdAt: new Date(),
    }));
    for (let from = 0; from < wrapped.length; from += 1_000)
      await db.userKey.createMany({ data: wrapped.slice(from, from + 1_000) });
    onTestFinished(async () => {
      await db.userKey.deleteMany({ where: { userId: one.id, number: { gt: 1 } } });
      forgetUserKeys();
    });
    forgetUserKeys();
    // The first half is known, and the oldest: learning the second half makes room for it.
    for (const creator of creators.slice(0, 20)) await userKey({ userId: creator.id, number: 1 });
    for (let from = 0; from < others.length; from += 1_000) await userKeys(others.slice(from, from + 1_000));
    const { status, body } = await request(mine as typeof get, "/keys/mine", holder);
    expect(status).toBe(200);
    const records: KeyRecord[] = body;
    expect(records.map(({ data, damaged }) => ({ data, damaged }))).toEqual(
      creators.map(({ username }) => ({ data: `of ${username}`, damaged: undefined })),
    );
    expect(records.map(({ id }) => id)).toEqual(ids);
  });

  test("in the clear, from before, is read, changed and handed over", async () => {
    const giver = await person();
    const id = await newKey(giver, "sealed");
    await db.key.update({ where: { id }, data: { data: "in the clear", sealedWith: null } });
    expect(await revealData(giver, id)).toBe("in the clear");
    await updateKey(giver, await findKey(giver, id), { field: "name", value: "Named" });
    expect(await stored(id)).toMatchObject({ sealedWith: null });
    await offerKey(giver, await findKey(giver, id), other.username);
    await acceptOffer(other, id);
    expect(await stored(id)).toMatchObject({ sealedWith: 1 });
    expect(await revealData(giver, id)).toBe("in the clear");
  });
});

test("a key whose creator is deleted in the middle of a request is not there, and never damaged", async () => {
  const [creator, holder] = await people(2);
  const [first, second] = [await newKey(creator, "one"), await newKey(creator, "two")];
  const own = await newKey(holder, "own");
  for (const id of [first, second]) await add(creator, id, holder);
  const row = await findKey(holder, first);
  const rows = await Promise.all([first, own, second].map((id) => findKey(holder, id)));
  await db.user.delete({ where: { id: creator.id } });
  forgetUserKeys();
  await expect(recordFor(holder, row)).rejects.toMatchObject({ code: "key_not_found" });
  expect(await dataOfEach(rows)).toEqual([undefined, "own", undefined]);
});

describe("a row that was changed by something else", () => {
  /** What is logged as an error meanwhile. */
  async function loggedBy(work: () => Promise<void>): Promise<object[]> {
    const logged: object[] = [];
    const { error } = log;
    log.error = ((fields: object) => void logged.push(fields)) as typeof log.error;
    await work().finally(() => {
      log.error = error;
    });
    return logged;
  }

  const expectDamaged = async (owner: Person, id: string) => {
    const logged = await loggedBy(async () => {
      expect(await request(get, `/keys/get/${id}`, owner)).toMatchObject({
        status: 500,
        body: { code: "data_damaged" },
      });
      await expect(revealData(owner, id)).rejects.toMatchObject({ code: "data_damaged" });
      const { status, body } = await request(mine, "/keys/mine", owner);
      expect(status).toBe(200);
      for (const record of body as KeyRecord[]) {
        const isThis = record.id === id;
        expect([record.id, record.data === null, record.damaged ?? false]).toEqual([record.id, isThis, isThis]);
      }
      const row = await findKey(owner, id);
      expect(await updateKey(owner, row, { field: "name", value: "New name" })).toMatchObject({
        name: "New name",
        data: null,
        damaged: true,
      });
      await offerKey(owner, row, other.username);
      await expect(acceptOffer(other, id)).rejects.toMatchObject({ code: "data_damaged" });
    });
    expect(logged).toHaveLength(5);
    for (const fields of logged) expect(fields).toMatchObject({ key: id, err: expect.any(Error) });
    const { data } = await stored(id);
    if (data !== "") expect(JSON.stringify(logged)).not.toContain(data);
    const row = await findKey(owner, id);
    expect(await updateKey(owner, row, { field: "data", value: "repaired" })).toMatchObject({ data: "repaired" });
    expect(await revealData(owner, id)).toBe("repaired");
  };

  test.each<[string, (mine: string, id: string) => Promise<{ data?: string; sealedWith?: number }>]>([
    ["the data of another key of the same user", async (second) => ({ data: (await stored(second)).data })],
    ["the data of another user", async () => ({ data: (await stored(await newKey(other, "theirs"))).data })],
    ["another number", async () => ({ sealedWith: 2 })],
    ["no data", async () => ({ data: "" })],
    ["a piece cut off", async (_, id) => ({ data: (await stored(id)).data.slice(0, -4) })],
    ["a text that is not base64", async () => ({ data: "in the clear" })],
    ["another text for the same bytes", async (_, id) => ({ data: `${(await stored(id)).data}\n` })],
  ])("is refused, and no other is: %s", async (_, change) => {
    const owner = await person();
    const [id, second] = [await newKey(owner, "the first"), await newKey(owner, "the second")];
    await db.key.update({ where: { id }, data: await change(second, id) });
    await expectDamaged(owner, id);
    expect(await revealData(owner, second)).toBe("the second");
  });

  test("is refused if it was given to another creator", async () => {
    const [owner, thief] = [await person(), await person()];
    const id = await newKey(owner, "not for others");
    await newKey(thief, "own");
    await db.key.update({ where: { id }, data: { creatorId: thief.id } });
    await db.holder.create({ data: { keyId: id, userId: thief.id, since: new Date(), keyCreatedAt: new Date() } });
    await expectDamaged(thief, id);
  });

  /** The text with one bit of one character changed; still a text that both databases store. */
  function flippedText(text: string): string {
    const at = randomInt(text.length);
    for (;;) {
      const character = String.fromCharCode(text.charCodeAt(at) ^ (1 << randomInt(7)));
      if (character >= " " && character <= "~") return text.slice(0, at) + character + text.slice(at + 1);
    }
  }

  test("by one bit in any column is at fault alone, named by the doctor, and never shows another's data", async () => {
    type Row = Awaited<ReturnType<typeof stored>>;
    const FLIPS: Record<string, (row: Row) => Partial<Row>> = {
      data: (row) => ({ data: flippedText(row.data) }),
      sealedWith: (row) => ({ sealedWith: (row.sealedWith ?? 0) ^ (2 << randomInt(20)) }),
      dataBytes: (row) => ({ dataBytes: row.dataBytes ^ (1 << randomInt(20)) }),
      name: (row) => ({ name: flippedText(row.name) }),
      price: () => ({ price: "16" }),
      createdAt: (row) => ({ createdAt: new Date(row.createdAt.getTime() ^ 1) }),
      updatedAt: (row) => ({ updatedAt: new Date(row.updatedAt.getTime() ^ 2) }),
      nothing: () => ({}),
    };
    const owner = await person();
    const flipped: { id: string; column: string; data: string }[] = [];
    for (let n = 0; n < 10; n++)
      for (const [column, flip] of Object.entries(FLIPS)) {
        const data = `secret ${n} of ${column}`;
        const id = await newKey(owner, data);
        await db.key.update({ where: { id }, data: flip(await stored(id)) });
        flipped.push({ id, column, data });
      }
    await loggedBy(async () => {
      const { body } = await request(mine, "/keys/mine", owner);
      const byId = new Map((body as KeyRecord[]).map((record) => [record.id, record]));
      expect(byId.size).toBe(flipped.length);
      for (const { id, column, data } of flipped) {
        const isDamaged = column === "data" || column === "sealedWith";
        const record = byId.get(id);
        expect([column, record?.data, record?.damaged ?? false]).toEqual([column, isDamaged ? null : data, isDamaged]);
      }
    });
    const named: string[] = [];
    for await (const { id, creatorId } of damagedKeys()) if (creatorId === owner.id) named.push(id);
    const faulty = flipped.filter(({ column }) => ["data", "sealedWith", "dataBytes"].includes(column));
    expect(named.sort()).toEqual(faulty.map(({ id }) => id).sort());
    await db.key.deleteMany({ where: { creatorId: owner.id } });
  });
});
