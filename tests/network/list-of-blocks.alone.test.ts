import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { blockNetwork } from "@/lib/blocked-networks/change";
import { awaitList, refuseBlocked } from "@/lib/blocked-networks/known";
import { db } from "@/lib/db/client";
import type { Network } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { statementsOf } from "@/tests/support/statements";

/** One block, as another process would write it. */
async function blockElsewhere({ id }: Network): Promise<void> {
  await db.blockedNetwork.create({ data: { network: id, reason: "", since: new Date(), actorId: OPERATOR } });
}

const isRefused = (network: Network) =>
  refuseBlocked(network).then(
    () => false,
    () => true,
  );
const ofTheList = (sent: string[]) => sent.filter((text) => text.includes('"BlockedNetwork"'));

test("a process asks once, whoever waits, and reads the list only after a change", async () => {
  const network = newNetwork();
  await blockNetwork({ network: network.id, seconds: null, reason: "" }, { actorId: OPERATOR });
  const first = await statementsOf(async () => {
    await Promise.all(Array.from({ length: 200 }, () => isRefused(newNetwork())));
  });
  expect(ofTheList(first)).toHaveLength(2);
  expect(await statementsOf(async () => void (await isRefused(network)))).toEqual([]);
  await sleep(700);
  const next = await statementsOf(async () => {
    expect(await isRefused(network)).toBe(true);
  });
  expect(ofTheList(next)).toHaveLength(1);
});

test("a block of another process holds within a second, also if no request came for a while", async () => {
  const [busy, quiet] = [newNetwork(), newNetwork()];
  await isRefused(busy);
  await blockElsewhere(busy);
  const blocked = performance.now();
  while (!(await isRefused(busy))) {
    expect(performance.now() - blocked).toBeLessThan(1_000);
    await sleep(10);
  }
  await sleep(1_000);
  await blockElsewhere(quiet);
  expect(await isRefused(quiet)).toBe(true);
});

test("while the database is away, the list last known holds, and nobody waits for it twice", async () => {
  const [network, other] = [newNetwork(), newNetwork()];
  await blockElsewhere(network);
  await sleep(700);
  expect(await isRefused(network)).toBe(true);
  await db.$executeRaw`ALTER TABLE "BlockedNetwork" RENAME TO "Away"`;
  try {
    await sleep(700);
    expect(await isRefused(network)).toBe(true);
    expect(await isRefused(other)).toBe(false);
    expect(awaitList()).toBeUndefined();
  } finally {
    await db.$executeRaw`ALTER TABLE "Away" RENAME TO "BlockedNetwork"`;
  }
  await blockElsewhere(other);
  await sleep(700);
  expect(await isRefused(other)).toBe(true);
});
