import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { blockNetwork } from "@/lib/platform/network/block";
import { awaitList, refuseBlocked } from "@/lib/platform/network/blocked";
import type { Network } from "@/lib/platform/network/network";
import { perProcess } from "@/lib/platform/process";
import { newNetwork } from "@/tests/support/request";
import { statementsOf } from "@/tests/support/statements";

// The clock goes on only when a test says so: the list's age does not depend on how slow the machine is.
beforeAll(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterAll(() => void vi.useRealTimers());
const pass = (ms: number) => void vi.advanceTimersByTime(ms);

const list = perProcess("blocked networks", (): { pending?: Promise<void> } => ({}));
const isAnswered = async () => void (await list.pending);

async function blockElsewhere({ id }: Network): Promise<void> {
  await db.blockedNetwork.create({ data: { network: id, reason: "", since: new Date(), actorId: OPERATOR } });
}

const isRefused = (network: Network) => refuseBlocked(network).then(Boolean, () => true);
const ofTheList = (sent: string[]) => sent.filter((text) => text.includes('"BlockedNetwork"'));

test("a process asks once, whoever waits, and reads the list only after a change", async () => {
  const network = newNetwork();
  await blockNetwork({ network: network.id, seconds: null, reason: "" }, { actorId: OPERATOR });
  const first = await statementsOf(async () => {
    await Promise.all(Array.from({ length: 200 }, () => isRefused(newNetwork())));
    await isAnswered();
  });
  expect(ofTheList(first)).toHaveLength(2);
  expect(await statementsOf(async () => void (await isRefused(network)))).toEqual([]);
  pass(700);
  const next = await statementsOf(async () => {
    expect(await isRefused(network)).toBe(true);
    await isAnswered();
  });
  expect(ofTheList(next)).toHaveLength(1);
});

test("a block of another process holds within a second, also if no request came for a while", async () => {
  const [busy, quiet] = [newNetwork(), newNetwork()];
  await isRefused(busy);
  await isAnswered();
  await blockElsewhere(busy);
  for (let request = 0; request < 2; request++) {
    pass(300);
    await isRefused(busy);
    await isAnswered();
  }
  expect(await isRefused(busy)).toBe(true);
  pass(1_000);
  await blockElsewhere(quiet);
  expect(awaitList()).toBeInstanceOf(Promise);
  await isAnswered();
  expect(await isRefused(quiet)).toBe(true);
});

test("while the database is away, the list last known holds, and nobody waits for it twice", async () => {
  const [network, other] = [newNetwork(), newNetwork()];
  await blockElsewhere(network);
  pass(700);
  await isRefused(network);
  await isAnswered();
  expect(await isRefused(network)).toBe(true);
  await db.$executeRaw`ALTER TABLE "BlockedNetwork" RENAME TO "Away"`;
  try {
    pass(700);
    expect(await isRefused(network)).toBe(true);
    await isAnswered();
    expect(await isRefused(other)).toBe(false);
    expect(awaitList()).toBeUndefined();
  } finally {
    await db.$executeRaw`ALTER TABLE "Away" RENAME TO "BlockedNetwork"`;
  }
  await blockElsewhere(other);
  pass(700);
  await isRefused(other);
  await isAnswered();
  expect(await isRefused(other)).toBe(true);
});
