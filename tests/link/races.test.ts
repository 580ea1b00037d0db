import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { findTokenCaller } from "@/lib/accounts/identity/access-tokens/use";
import { rotateToken } from "@/lib/accounts/identity/token";
import { approveRequest, denyRequest } from "@/lib/link/approve";
import { endRequest } from "@/lib/link/end";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { removeToken } from "@/lib/user-data/revoke-token";
import { bundled } from "@/scripts/bundled.mjs";
import { newNetwork } from "@/tests/support/request";
import { sized } from "@/tests/support/size";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";
import { allow, approved, at, collect, disallow, newRequest, requested } from "./flow";
import type { Task, Won } from "./rival";

const ROUNDS = sized(4, 48);
const inRounds = (name: string, round: (n: number) => Promise<void>) =>
  it(name, async () => {
    for (let n = 0; n < ROUNDS; n++) await round(n);
  });

const unusable = { status: "rejected", reason: { code: "code_unusable" } };
const settle = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );
const works = (token: string) => settle(findTokenCaller(token, at(3)));
const countOf = (id: string, ...action: ("link.approve" | "link.deny" | "link.collect" | "link.repeat")[]) =>
  Promise.all(action.map((one) => db.auditEvent.count({ where: { subjectId: id, action: one } })));

/** A program's wish: none in even rounds, and a token of its own in odd ones. */
const wish = (n: number) => (n % 2 ? ({ access: "read" } as const) : {});

describe("at the same time", () => {
  inRounds(
    "one approves, another denies, the program collects: it gets a token only if that was approved",
    async (n) => {
      const [one, other] = (await makeUsers(2)) as [TestUser, TestUser];
      const { network, code, id } = await requested(newNetwork(), at(0), wish(n));
      const approve = () => approveRequest({ id: one.id, network }, id, { now: at(1) });
      // Another approval loses as a denial does.
      const deny = () => (n % 3 ? denyRequest : approveRequest)({ id: other.id, network }, id, { now: at(1) });
      const [early, [first, second]] = await Promise.all([
        collect(code, network, at(2)),
        Promise.allSettled(n % 4 < 2 ? [approve(), deny()] : [deny(), approve()]),
      ]);
      const late = await collect(code, network, at(2));
      const [approval, denial] = n % 4 < 2 ? [first, second] : [second, first];
      const isApproved = approval.status === "fulfilled";
      expect(isApproved ? denial : approval).toMatchObject(unusable);
      expect(isApproved || denial.status === "fulfilled").toBe(true);
      const holder = isApproved ? one : n % 3 ? undefined : other;
      expect(late !== null).toBe(holder !== undefined);
      if (holder && n % 2 === 0) expect(late).toEqual({ token: holder.token });
      if (early) expect(early).toEqual(late);
      for (const user of [one, other]) expect(await tokensOf(user.id)).toHaveLength(user === holder && n % 2 ? 1 : 0);
      expect(await countOf(id, "link.approve", "link.deny")).toEqual(holder ? [1, 0] : [0, 1]);
    },
  );

  inRounds("a program collects 15 times and a stranger five: it gets one token, once and as repeats", async (n) => {
    const { code, id, network, user } = await approved(newNetwork(), at(0), wish(n));
    const other = newNetwork();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => collect(code, index % 4 === 0 ? other : network, at(1))),
    );
    const tokens = answers.map((answer) => answer?.token ?? null);
    expect(new Set(tokens.filter((_, index) => index % 4 === 0))).toEqual(new Set([null]));
    const [token = "", ...others] = new Set(tokens.filter((_, index) => index % 4 !== 0));
    expect(others).toEqual([]);
    expect(n % 2 ? await works(String(token)) : token === user.token).toBe(true);
    expect(await tokensOf(user.id)).toHaveLength(n % 2);
    expect(await countOf(id, "link.collect", "link.repeat")).toEqual([1, 14]);
    expect(await db.linkCode.findUnique({ where: { id } })).toMatchObject({
      collectedNetwork: network.id,
      repeats: 14,
    });
  });

  inRounds("two networks are allowed: exactly one collects, the one that was allowed last", async () => {
    const { code, id, user } = await approved();
    const networks = [newNetwork(), newNetwork()];
    await Promise.all(networks.map((network) => allow(user, id, { network, now: at(1) })));
    const { allowedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    const got = await Promise.all(networks.map((network) => collect(code, network, at(2))));
    expect(got).toEqual(networks.map(({ id }) => (id === allowedNetwork ? { token: user.token } : null)));
    expect(await countOf(id, "link.collect")).toEqual([1]);
  });

  inRounds("a network is allowed and both collect: one does, and a later permission is refused", async () => {
    const { code, id, user, network } = await approved();
    const moved = newNetwork();
    const press = (seconds: number) => settle(allow(user, id, { network: moved, now: at(seconds) }));
    const [, ...got] = await Promise.all([press(1), collect(code, network, at(1)), collect(code, moved, at(1))]);
    expect(got.filter((answer) => answer !== null)).toHaveLength(1);
    expect(await countOf(id, "link.collect")).toEqual([1]);
    expect(await press(2)).toBe(false);
  });

  inRounds("a network is allowed and turned away: the last word holds as a whole", async (n) => {
    const { code, id, user } = await approved();
    const moved = newNetwork();
    await collect(code, moved, at(1));
    const answers = [allow, disallow].map((decide) => decide(user, id, { network: moved, now: at(2) }));
    await Promise.all(n % 2 === 0 ? answers : answers.reverse());
    const { allowedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    const { refusedAt } = await db.linkQuestion.findFirstOrThrow({ where: { network: moved.id } });
    expect(allowedNetwork === null).toBe(refusedAt !== null);
    expect(await collect(code, moved, at(3))).toEqual(allowedNetwork === null ? null : { token: user.token });
  });

  inRounds("the secret and the network collect: one does, and only the secret may ask again where it won", async () => {
    const { code, id, secret, user, network } = await approved();
    const elsewhere = newNetwork();
    const [bySecret, byNetwork] = await Promise.all([
      collect(code, elsewhere, at(1), { secret }),
      collect(code, network, at(1)),
    ]);
    expect([bySecret, byNetwork].filter((answer) => answer !== null)).toEqual([{ token: user.token }]);
    expect(await countOf(id, "link.collect")).toEqual([1]);
    const { boundAt, collectedNetwork } = await db.linkCode.findUniqueOrThrow({ where: { id } });
    expect(collectedNetwork).toBe(bySecret ? elsewhere.id : network.id);
    if (bySecret) expect(boundAt).not.toBeNull();
    expect((await collect(code, network, at(2))) === null).toBe(bySecret !== null);
  });

  inRounds("an operator ends a code and its program collects: one wins", async (n) => {
    const { code, id, secret, network } = await approved(newNetwork(), new Date());
    const end = () => settle(endRequest(OPERATOR, id));
    const get = () => collect(code, network, new Date(), { secret });
    const [ended, collected] =
      n % 2 ? await Promise.all([end(), get()]) : (await Promise.all([get(), end()])).reverse();
    expect(ended).toBe(collected === null);
  });
});

describe("a token of the program's own, at the same time", () => {
  inRounds("as the account's is rotated, is made and collected all the same", async () => {
    const { network, code, id, user, actor } = await requested(newNetwork(), at(0), wish(1));
    await Promise.all([approveRequest(actor, id, { now: at(1) }), rotateToken(user.id)]);
    const [collected] = await Promise.all([collect(code, network, at(2)), rotateToken(user.id)]);
    expect(await works(String(collected?.token))).toBe(true);
  });

  inRounds("as it is collected, is removed: it does not work, whoever was first", async () => {
    const { network, code, id, user } = await approved(newNetwork(), at(0), wish(1));
    const [collected] = await Promise.all([collect(code, network, at(2)), removeToken(user.id, { id })]);
    if (collected) expect(await works(collected.token)).toBe(false);
    expect(await collect(code, network, at(3))).toBeNull();
    expect(await tokensOf(user.id)).toEqual([]);
  });

  inRounds("as it is used, is removed: it works before, and never after", async (n) => {
    const user = await makeUser();
    const { id, token } = await createToken(user.id, { name: `Tool ${n}`, access: "read", days: null });
    let isRemoved = false;
    const use = async () => {
      for (;;) {
        const wasRemoved = isRemoved;
        const worked = await works(token);
        if (wasRemoved) return worked;
      }
    };
    const uses = Array.from({ length: 5 }, use);
    await removeToken(user.id, { id });
    isRemoved = true;
    expect(await Promise.all(uses)).toEqual(Array(5).fill(false));
  });
});

async function startRival(task: Task) {
  const rival = await bundled("tests/link/rival.ts");
  const child = spawn(process.execPath, [rival], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify(task)}\n`);
  expect((await lines.next()).value).toBe("ready");
  return async (): Promise<Won> => {
    const isOver = once(child, "close");
    child.stdin.end("go\n");
    const won = JSON.parse(String((await lines.next()).value));
    await isOver;
    return won;
  };
}

it("two processes on one database: every code is decided once, and collected by one of two programs", async () => {
  const now = new Date();
  const [one, other] = (await makeUsers(2)) as [TestUser, TestUser];
  const make = <T>(thing: () => Promise<T>) => Promise.all(Array.from({ length: sized(8, 50) }, thing));
  const requests = (await make(() => newRequest(newNetwork(), now))).map(({ id }) => id);
  const open = await make(() => approved(newNetwork(), now));
  const task = { requests, open: open.map(({ code, network }) => ({ code, network })) };
  const rivals = await Promise.all([
    startRival({ ...task, program: "one/1.0", userId: one.id, denies: false }),
    startRival({ ...task, program: "other/1.0", userId: other.id, denies: true }),
  ]);
  const [first, second] = (await Promise.all(rivals.map((go) => go()))) as [Won, Won];

  const decided = (ids: string[], userId: string, status: string) =>
    db.linkCode.count({ where: { id: { in: ids }, userId, status } });
  expect([...first.decided, ...second.decided].sort()).toEqual(requests.toSorted());
  expect(await decided(first.decided, one.id, "approved")).toBe(first.decided.length);
  expect(await decided(second.decided, other.id, "denied")).toBe(second.decided.length);
  for (const [index, { user }] of open.entries()) {
    const got = [first, second].map(({ tokens }) => [...new Set(tokens[index])]);
    expect(got.flat().toSorted()).toEqual([user.token, null].toSorted());
  }
});
