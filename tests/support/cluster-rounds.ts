import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect } from "vitest";
import { newId } from "@/lib/ids";
import { DATABASES, type DatabaseMachine } from "@/scripts/cluster/samples";
import { type Cluster, startCluster } from "@/scripts/cluster/start";
import { startOperator } from "@/tests/soak/operator";
import { type Breakable, breakableWay } from "./breakable";
import { BREAKAGES, type Breakage, roleOf } from "./cluster-breakages";
import { Ledger } from "./ledger";
import { Outage } from "./outage";
import { type SmallFolder, smallFolder } from "./small-disk";

const LEDGERS = 6;
const CHANGES_BEFORE_BREAKING = 60;
const TWO_MINUTES = 120_000;
const DISK_BYTES = 1_500_000_000;

export interface Round {
  breakage: Breakage;
  /** The longest time without an acknowledged change, and the longest for a response. */
  seconds: number;
  slowest: number;
}

/**
 * Starts the cluster of docs/high-availability, changes keys and links programs through it at full speed, and
 * breaks it in these ways, one after the other. After each, it must work again by itself, and every acknowledged change
 * must be there, and no unrequested one.
 */
export async function survivesBreaking(breakages: Breakage[]): Promise<{ rounds: Round[]; acknowledged: number }> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-cluster-"));
  const disks = breakages.includes("disk full") ? smallDisks(folder) : new Map<DatabaseMachine, SmallFolder>();
  const ways = new Map<string, Breakable[]>();
  const cluster = await startCluster(folder, undefined, async (machine, port) => {
    const way = await breakableWay("127.0.0.1", port);
    ways.set(machine, [...(ways.get(machine) ?? []), way]);
    return way.port;
  });
  const operator = startOperator({ ...cluster.storage, NEXTAUTH_URL: cluster.url });
  try {
    const ledgers = await Promise.all(Array.from({ length: LEDGERS }, () => Ledger.open(cluster.url, operator)));
    const acknowledged = () => ledgers.reduce((sum, { tally }) => sum + tally.acknowledged, 0);
    const rounds: Round[] = [];
    for (const breakage of breakages) {
      const primary = await untilWhole(cluster);
      const { token } = await operator.tell("createUser", `o${newId().slice(0, 15)}`, "correct horse battery");
      const over = new AbortController();
      const working = Promise.all(ledgers.map((ledger) => ledger.work(over.signal, false)));
      // If one fails, it is told below.
      working.catch(() => {});
      const outage = new Outage(cluster.url, token);
      const enough = acknowledged() + CHANGES_BEFORE_BREAKING;
      await expect.poll(acknowledged, { timeout: TWO_MINUTES }).toBeGreaterThan(enough);
      const broken = { cluster, primary, ways: ways.get(primary) ?? [], disk: disks.get(primary) };
      const mend = await BREAKAGES[breakage](broken);
      await outage.isOver();
      await mend();
      await sleep(1_000);
      over.abort();
      await working;
      rounds.push({ breakage, ...outage.stop() });
      await untilWhole(cluster);
      for (const ledger of ledgers) await ledger.verify();
    }
    return { rounds, acknowledged: acknowledged() };
  } finally {
    operator.stop();
    await cluster.stop();
    for (const way of [...ways.values()].flat()) await way.cut();
    for (const disk of disks.values()) disk.remove();
    rmSync(folder, { recursive: true });
  }
}

function smallDisks(folder: string): Map<DatabaseMachine, SmallFolder> {
  return new Map(
    DATABASES.map((machine) => {
      const place = join(folder, machine);
      mkdirSync(place);
      return [machine, smallFolder(place, DISK_BYTES)];
    }),
  );
}

/** Waits until both standbys follow the primary, one of them synchronously. Returns the primary. */
async function untilWhole(cluster: Cluster): Promise<DatabaseMachine> {
  const giveUp = Date.now() + 2 * TWO_MINUTES;
  for (;;) {
    const primary = await roleOf(cluster, "leader");
    if (primary && (await roleOf(cluster, "sync_standby")) && (await hasBoth(cluster, primary))) return primary;
    expect(Date.now(), "A machine did not come back.").toBeLessThan(giveUp);
    await sleep(500);
  }
}

/** Patroni says of a standby that it runs even while it does not follow. */
async function hasBoth(cluster: Cluster, primary: DatabaseMachine): Promise<boolean> {
  const client = new Client(await cluster.superuser(primary));
  client.on("error", () => {});
  try {
    await client.connect();
    // Patroni names a standby's connection after its machine. The copying of a data directory streams as well.
    const following = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND application_name = ANY ($1)";
    const { rowCount } = await client.query(following, [DATABASES]);
    return rowCount === DATABASES.length - 1;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
