import { afterAll, expect, test } from "vitest";
import { OPERATOR } from "@/lib/audit";
import { blockNetwork, MOST_BLOCKED } from "@/lib/blocked-networks/change";
import { askAgain, awaitList, isBlocked } from "@/lib/blocked-networks/known";
import { blockedNetworks } from "@/lib/blocked-networks/list";
import { db } from "@/lib/db/client";
import type { Network } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";

const REASON = "one of many";
afterAll(() => db.blockedNetwork.deleteMany({ where: { reason: REASON } }));

/** Adds so many blocks, of every length of prefix, as the command would store them. */
async function addBlocks(count: number): Promise<void> {
  const since = new Date();
  const data = Array.from({ length: count }, (_, n) => {
    const [a, b, c] = [11 + (n % 80), Math.floor(n / 80) % 256, n % 256];
    const network = n % 2 ? `${a}.${b}.${c}.0/${24 + (n % 8)}` : `2a05:${n.toString(16)}:1::/48`;
    return { network, reason: REASON, since, until: null, actorId: OPERATOR };
  });
  const seen = new Set<string>();
  const rows = data.filter(({ network }) => !seen.has(network) && seen.add(network));
  for (let from = 0; from < rows.length; from += 500)
    await db.blockedNetwork.createMany({ data: rows.slice(from, from + 500) });
}

/** Nanoseconds of a look-up of clients that come again, and of new ones. */
function timeOf(): { again: number; fresh: number } {
  const known: Network[] = Array.from({ length: 100 }, () => newNetwork());
  const fresh: Network[] = Array.from({ length: 5_000 }, () => newNetwork());
  const each = (networks: Network[], rounds: number) => {
    const started = performance.now();
    for (let round = 0; round < rounds; round++) for (const network of networks) isBlocked(network);
    return ((performance.now() - started) * 1e6) / (rounds * networks.length);
  };
  each(known, 10);
  return { again: each(known, 2_000), fresh: each(fresh, 1) };
}

test("a thousand blocks take no longer to look through than a few, and ten thousand are all there can be", async () => {
  await addBlocks(1_000);
  askAgain();
  await awaitList();
  const many = timeOf();
  expect(many.again).toBeLessThan(5_000);
  expect(many.fresh).toBeLessThan(500_000);
  expect((await blockedNetworks(2_000)).length).toBeGreaterThanOrEqual(1_000);

  const missing = MOST_BLOCKED - (await db.blockedNetwork.count());
  const since = new Date();
  for (let done = 0; done < missing; done += 500)
    await db.blockedNetwork.createMany({
      data: Array.from({ length: Math.min(500, missing - done) }, (_, n) => ({
        network: `2a06:${(done + n).toString(16)}:1::/48`,
        reason: REASON,
        since,
        actorId: OPERATOR,
      })),
    });
  const blocking = blockNetwork({ network: newNetwork().id, seconds: 60, reason: "" }, { actorId: OPERATOR });
  await expect(blocking).rejects.toMatchObject({ status: 403, code: "network_limit" });
});
