import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test, vi } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { revealData } from "@/lib/keys/data";
import { deleteKey } from "@/lib/keys/delete";
import { acceptOffer, offerKey } from "@/lib/keys/offers";
import { updateKey } from "@/lib/keys/update";
import { examine } from "@/lib/operator/doctor/examine";
import { resealAll } from "@/lib/operator/reseal";
import { rotateData } from "@/lib/operator/rotate";
import { forgetDataKeys } from "@/lib/platform/crypto/data-keys";
import { currentUserKey, forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db, transaction } from "@/lib/platform/db/client";
import { adminProgram } from "@/scripts/admin/program";
import { bundled } from "@/scripts/bundled.mjs";
import { makeKeys } from "@/tests/keys/keys";
import { sized } from "@/tests/support/size";
import { makeUsers } from "@/tests/support/user";

const KEYS_EACH = sized(5, 40);

/** Keys as versions before sealing stored them, and what each has. */
async function clearKeys(creator: Caller, count: number): Promise<Map<string, string>> {
  const ids = await makeKeys(creator, creator, { count });
  const keys = new Map<string, string>();
  for (const [n, id] of ids.entries()) {
    const data = `data of ${creator.username}, ${n}: ${"ü".repeat(n % 3 === 0 ? 20_000 : 3)}`;
    await db.key.update({ where: { id }, data: { data, dataBytes: Buffer.byteLength(data) } });
    keys.set(id, data);
  }
  return keys;
}

/** As if what other processes do with former keys had been over for long. */
async function settle(): Promise<void> {
  const createdAt = new Date(Date.now() - 3_600_000);
  // PostgreSQL may refuse it beside a rotation, which locks the same rows in another order.
  await transaction((tx) => tx.dataKey.updateMany({ data: { createdAt } }));
  await transaction((tx) => tx.userKey.updateMany({ data: { createdAt } }));
}

/** Until that has settled, a rotation does not end. `mayEnd`: whether it may. */
async function whileSettling<T>(work: Promise<T>, mayEnd = () => true): Promise<T> {
  let isOver = false;
  const settling = async () => {
    for (; !isOver; await sleep(200)) if (mayEnd()) await settle();
  };
  const over = work.finally(() => {
    isOver = true;
  });
  const [result] = await Promise.all([over, settling()]);
  return result;
}

const newest = () => db.dataKey.findFirstOrThrow({ orderBy: { id: "desc" } });
let people: Caller[];
let stored: Map<string, Map<string, string>>;

async function expectAllRead(of = people): Promise<void> {
  forgetUserKeys();
  for (const person of of)
    for (const [id, data] of stored.get(person.id) ?? []) expect(await revealData(person, id)).toBe(data);
}

beforeAll(async () => {
  people = (await makeUsers(sized(6, 250))).map((user) => ({ ...user, role: "user" }));
  stored = new Map();
  for (const person of people) stored.set(person.id, await clearKeys(person, KEYS_EACH));
});

test("keys of before are read, and then sealed, by two processes at once, and by what follows a stop", async () => {
  await expectAllRead();
  expect(await resealAll(0)).toEqual({ keys: 0, pieces: 0, left: "much" });
  const both = await Promise.all([resealAll(60_000), resealAll(60_000)]);
  expect(both[0].keys + both[1].keys).toBe(people.length * KEYS_EACH);
  expect(both.map(({ left }) => left)).toEqual(["later", "later"]);
  for (const { sealedWith, data } of await db.key.findMany()) {
    expect(sealedWith).toBe(1);
    expect(data).toMatch(/^[A-Za-z0-9+/]+=*$/);
  }
  await expectAllRead();
  // What a process of the version before stores meanwhile.
  const [person] = people as [Caller];
  for (const [id, data] of await clearKeys(person, 1)) stored.get(person.id)?.set(id, data);
  await settle();
  expect(await resealAll(60_000)).toEqual({ keys: 1, pieces: 0, left: "nothing" });
  expect(await newest()).toMatchObject({ id: 1, passes: 2, resealedAt: expect.any(Date) });
  expect(await db.key.count({ where: { sealedWith: null } })).toBe(0);
  expect(await resealAll(60_000)).toEqual({ keys: 0, pieces: 0, left: "nothing" });
});

test("a rotation seals everything with new keys while keys are made, changed, handed over and deleted", async () => {
  let isDone = false;
  let rounds = 0;
  const rotating = whileSettling(rotateData(), () => rounds > 1).finally(() => {
    isDone = true;
  });
  const [one, other] = people as [Caller, Caller];
  while (!isDone) {
    const { id } = await createKey(one, { data: `new ${rounds}`, price: "1" });
    await updateKey(one, await findKey(one, id), { field: "data", value: `changed ${rounds} ${"!".repeat(50)}` });
    await offerKey(one, await findKey(one, id), other.username);
    await acceptOffer(other, id);
    expect(await revealData(one, id)).toBe(`changed ${rounds} ${"!".repeat(50)}`);
    if (rounds % 2 === 0) await deleteKey(other, await findKey(other, id));
    else stored.get(other.id)?.set(id, `changed ${rounds} ${"!".repeat(50)}`);
    rounds++;
  }
  const rotated = await rotating;
  expect(rotated).toEqual({ dataKey: 2, isNew: true, keys: expect.any(Number), pieces: 0 });
  expect(rotated.keys).toBeGreaterThanOrEqual(people.length * KEYS_EACH);
  expect(rounds).toBeGreaterThan(1);
  await expectAllRead();
  expect(await db.dataKey.findMany({ select: { id: true } })).toEqual([{ id: 2 }]);
  expect(await db.userKey.count({ where: { dataKeyId: { not: 2 } } })).toBe(0);
  for (const { id } of people) expect((await currentUserKey(id)).number).toBe(2);
  const events = await db.auditEvent.findMany({ where: { action: "data.rotate" } });
  expect(events).toMatchObject([{ subjectId: "service", actorId: "operator" }]);
});

test("the command completes a rotation that was not complete, and says that it made no new data key", async () => {
  await db.dataKey.updateMany({ data: { resealedAt: null, passes: 1, resealedTo: "8" } });
  const said = (["log", "error"] as const).map((method) => vi.spyOn(console, method).mockReturnValue());
  await whileSettling(adminProgram().parseAsync(["data:rotate"], { from: "user" }));
  const [printed = "", told] = said.map(({ mock }) => mock.calls.join());
  for (const spy of said) spy.mockRestore();
  expect(JSON.parse(printed)).toMatchObject({ dataKey: 2, isNew: false, pieces: 0 });
  expect(told).toContain("No new data key was created. If the secret has leaked since, run data:rotate again.");
  await expectAllRead();
});

test("what does not open stays as it is, and stops nothing", async () => {
  const [person, other] = people as [Caller, Caller];
  const [id = ""] = stored.get(person.id)?.keys() ?? [];
  const { data } = await db.key.findUniqueOrThrow({ where: { id } });
  const damaged = `${data.slice(0, 60)}${data[60] === "A" ? "B" : "A"}${data.slice(61)}`;
  await db.key.update({ where: { id }, data: { data: damaged } });
  expect(await whileSettling(rotateData())).toMatchObject({ dataKey: 3, isNew: true });
  expect(await db.key.findUniqueOrThrow({ where: { id } })).toMatchObject({ data: damaged, sealedWith: 2 });
  // Its key was kept: put right, the data is there again.
  await db.key.update({ where: { id }, data: { data } });
  await expectAllRead();
  expect(await db.dataKey.count()).toBe(1);
  expect(await db.userKey.count({ where: { userId: other.id } })).toBe(3);
});

async function place(): Promise<string> {
  const { id, passes, resealedTo, resealedAt } = await newest();
  return `${id} ${passes} ${resealedTo} ${resealedAt}`;
}

test("a process that is killed while it seals or rotates loses nothing, and the next one continues", async () => {
  const rounds = sized(3, 20);
  // More than one step takes.
  for (const user of await makeUsers(sized(210, 300))) {
    people.push({ ...user, role: "user" });
    const ids = await makeKeys(user, user, { count: 2, data: `secret of ${user.username}` });
    stored.set(user.id, new Map(ids.map((id) => [id, `secret of ${user.username}`])));
  }
  const seen = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const script = await bundled("tests/account/reseal-endlessly.ts");
    const child = spawn(process.execPath, [script], { env: process.env, stdio: ["ignore", "pipe", "inherit"] });
    const [first] = await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
    expect(String(first)).toBe("sealing\n");
    const before = await place();
    // It has come further: the next step is under way.
    while ((await place()) === before) await sleep(5);
    await sleep(Math.random() * 100);
    child.kill("SIGKILL");
    await once(child, "exit");
    seen.add(await place());
    forgetDataKeys();
    await expectAllRead(people.slice(10 * round, 10 * round + 20));
  }
  // It was killed in many places, and came further each time.
  expect(seen.size).toBeGreaterThan(rounds / 2);
  do await settle();
  while ((await resealAll(1_000)).left !== "nothing");
  forgetDataKeys();
  await expectAllRead();
  expect(await db.dataKey.count()).toBe(1);
  expect(await db.key.count({ where: { sealedWith: null } })).toBe(0);
  for await (const { check, problem } of examine()) expect([check, problem]).not.toContain("sealing");
});
