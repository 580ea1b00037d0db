import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { startOperator } from "@/tests/soak/operator";
import { type Breakable, breakableWay } from "@/tests/support/breakable";
import { Ledger } from "@/tests/support/ledger";
import { canMount, smallFolder } from "@/tests/support/small-disk";
import { BREAKAGES, type Breakage } from "./breakages";
import { type Cluster, startCluster } from "./cluster";
import { Outage } from "./outage";
import { DATABASES, type DatabaseMachine } from "./samples";

const LEDGERS = 6;
const CHANGES_BEFORE_BREAKING = 60;
const TWO_MINUTES = 120_000;
const DISK_BYTES = 1_500_000_000;
/** Longer than the lease of a primary (20 s), and what its successor and the checks of it need on a busy machine. */
const LONGEST_SECONDS = 90;
/** Earlier ones let a primary that was frozen take its lease back: docs/decisions/synchronous-replication.md. */
const SAFE_PATRONI = "3.1.2";

const patroni = execFileSync("patroni", ["--version"], { encoding: "utf8" }).trim().replace("patroni ", "");
const isSafe = patroni.localeCompare(SAFE_PATRONI, "en", { numeric: true }) >= 0;

const EACH_KIND: Breakage[] = [
  "process killed",
  "synchronous standby killed",
  "planned switchover",
  "postgres killed",
  ...(canMount() ? ["disk full" as const] : []),
  ...(isSafe ? ["primary frozen" as const] : []),
  "primary cut off",
  "primary killed",
];

interface Round {
  breakage: Breakage;
  /** The longest time without an acknowledged change, and the longest for a response. */
  seconds: number;
  slowest: number;
}

/**
 * Starts the cluster of docs/high-availability, changes keys and links programs through it at full speed, and breaks
 * it in these ways, one after the other. After each, it must work again by itself, and every acknowledged change must
 * be there, and no unrequested one.
 */
async function survivesBreaking(breakages: Breakage[]): Promise<{ rounds: Round[]; acknowledged: number }> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-cluster-"));
  const disks = new Map(
    (breakages.includes("disk full") ? DATABASES : []).map((machine) => {
      mkdirSync(join(folder, machine));
      return [machine, smallFolder(join(folder, machine), DISK_BYTES)];
    }),
  );
  const ways = new Map<string, Breakable[]>();
  const cluster = await startCluster(folder, async (machine, port) => {
    const way = await breakableWay("127.0.0.1", port);
    ways.set(machine, [...(ways.get(machine) ?? []), way]);
    return way.port;
  });
  const operator = await startOperator({ ...cluster.storage, NEXTAUTH_URL: cluster.url });
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
      await mend?.();
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

/** Waits until both standbys follow the primary, one of them synchronously. Returns the primary. */
async function untilWhole(cluster: Cluster): Promise<DatabaseMachine> {
  const giveUp = Date.now() + 2 * TWO_MINUTES;
  for (;;) {
    const primary = await cluster.withRole("leader");
    if (primary && (await cluster.withRole("sync_standby")) && (await hasBoth(cluster, primary))) return primary;
    expect(Date.now(), "A machine did not come back.").toBeLessThan(giveUp);
    await sleep(500);
  }
}

/** Patroni says of a standby that it runs even while it does not follow. */
async function hasBoth(cluster: Cluster, primary: DatabaseMachine): Promise<boolean> {
  // Patroni names a standby's connection after its machine. The copying of a data directory streams as well.
  const following = "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND application_name = ANY ($1)";
  const client = await cluster.connect(primary).catch(() => undefined);
  const found = await client?.query(following, [DATABASES]).catch(() => undefined);
  await client?.end();
  return found?.rowCount === DATABASES.length - 1;
}

function inWords(kind: Breakage, rounds: Round[]): string {
  const of = (key: "seconds" | "slowest") => {
    const figures = rounds.filter(({ breakage }) => breakage === kind).map((round) => round[key]);
    return figures.sort((a, b) => a - b).map((seconds) => seconds.toFixed(1));
  };
  return `${kind}: seconds without a change ${of("seconds").join(", ")}; for a response ${of("slowest").join(", ")}`;
}

test("a cluster that is broken twenty times loses nothing acknowledged, and works again by itself", async ({
  annotate,
}) => {
  // Each kind in turn, until there are twenty.
  const twenty = Array.from({ length: 20 }, (_, n) => EACH_KIND[n % EACH_KIND.length] as Breakage);
  const { rounds, acknowledged } = await survivesBreaking(twenty);
  await annotate(`Patroni ${patroni}; ${acknowledged} changes were acknowledged`);
  for (const kind of EACH_KIND) await annotate(inWords(kind, rounds));
  expect(rounds.filter(({ seconds }) => seconds > LONGEST_SECONDS)).toEqual([]);
});

test("a cluster whose primary is killed works again within a minute", async () => {
  const { rounds } = await survivesBreaking(["primary killed"]);
  expect(rounds.filter(({ seconds }) => seconds > 60)).toEqual([]);
});
