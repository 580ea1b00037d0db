import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/platform/ids";
import { startOperator } from "@/tests/soak/operator";
import { Ledger } from "@/tests/support/ledger";
import { type Answer, sendTo } from "@/tests/support/request";
import { canMount, type SmallFolder, smallFolder } from "@/tests/support/small-disk";
import { type Breakable, breakableWay } from "@/tests/support/sockets";
import { type Cluster, signalAll, startCluster } from "./cluster";
import { DATABASES, type DatabaseMachine, type Machine } from "./samples";

const LEDGERS = 6;
const CHANGES_BEFORE_BREAKING = 60;
const TWO_MINUTES = 120_000;
const DISK_BYTES = 1_500_000_000;
/** Earlier ones let a primary that was frozen take its lease back: docs/decisions/synchronous-replication.md. */
const SAFE_PATRONI = "3.1.2";

const patroni = execFileSync("patroni", ["--version"], { encoding: "utf8" }).trim().replace("patroni ", "");
const isSafe = patroni.localeCompare(SAFE_PATRONI, "en", { numeric: true }) >= 0;

interface Broken {
  cluster: Cluster;
  primary: DatabaseMachine;
  /** The ways into the primary, and from its Patroni to etcd. */
  ways: Breakable[];
  /** Where the primary's data is. */
  disk: SmallFolder | undefined;
}

/** Longer than a machine that is back takes to see that it has been replaced. */
const BACK_MS = 10_000;

/** Breaks something. Returns what repairs it when the rest works again; without that, it restarts by itself. */
type Break = (broken: Broken) => Promise<(() => unknown) | undefined>;

/** Ends all processes of a machine, or of one of its programs, immediately, as a power cut would. */
const kill =
  (which: (broken: Broken) => Promise<Machine | undefined> | Machine, program?: string): Break =>
  async (broken) => {
    const machine = await which(broken);
    if (!machine) throw new Error("There is no such machine.");
    const pids = broken.cluster.pids(machine, program);
    // Of PostgreSQL, the process that the others belong to.
    signalAll(program === "postgresql" ? pids.slice(0, 1) : pids, "SIGKILL");
    return undefined;
  };

const BREAKAGES = {
  "primary killed": kill(({ primary }) => primary),
  "synchronous standby killed": kill(({ cluster }) => cluster.withRole("sync_standby")),
  "process killed": kill(() => "app1", "latchkey"),
  "postgres killed": kill(({ primary }) => primary, "postgresql"),
  "planned switchover": async ({ cluster, primary }) => {
    await cluster.switchover(primary);
    return undefined;
  },
  "primary cut off": async ({ ways }) => {
    for (const way of ways) way.freeze();
    return async () => {
      for (const way of ways) await way.cut();
      for (const way of ways) await way.mend();
    };
  },
  "primary frozen": async ({ cluster, primary }) => {
    const client = await cluster.connect(primary, "latchkey");
    const pids = [...cluster.pids(primary, "patroni"), ...cluster.pids(primary, "postgresql")];
    signalAll(pids, "SIGSTOP");
    return async () => {
      const successor = await cluster.withRole("leader");
      expect(successor).not.toBe(primary);
      signalAll(pids, "SIGCONT");
      await expectNoWrite(client);
      expect(await cluster.withRole("leader")).toBe(successor);
    };
  },
  "disk full": async ({ cluster, primary, disk }) => {
    const client = await cluster.connect(primary, "latchkey");
    disk?.fill();
    const isReplaced = async () => {
      // Goes on to the next file of the log, as more load would; without room for one, the primary stops.
      await client.query("SELECT pg_switch_wal()").catch(() => {});
      return ![undefined, primary].includes(await cluster.withRole("leader"));
    };
    await expect.poll(isReplaced, { timeout: 180_000, interval: 500 }).toBe(true);
    await client.end();
    return () => disk?.free();
  },
} satisfies Record<string, Break>;

type Breakage = keyof typeof BREAKAGES;

/** Whoever still has a connection to a replaced primary gets no acknowledgement from it. */
async function expectNoWrite(client: Client): Promise<void> {
  const insert = `INSERT INTO "RetiredName" ("usernameKey", "retiredAt") VALUES ($1, now())`;
  const written = client
    .query(insert, [randomBytes(8).toString("hex")])
    .then(() => "written")
    .catch(() => "refused");
  expect(await Promise.race([written, sleep(BACK_MS, "waiting")])).not.toBe("written");
  await client.end();
}

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

const EVERY_MS = 250;
/** So many acknowledged changes in a row, begun after the break, and it is over. */
const ENOUGH = 12;
const FOUR_MINUTES = 240_000;

/** A client that creates a key four times a second, whether or not it got a response, and measures the gaps. */
class Outage {
  private readonly acknowledged: { begun: number; at: number }[] = [];
  private readonly asking = setInterval(() => void this.ask(), EVERY_MS);
  private fault: Answer | undefined;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  private async ask(): Promise<void> {
    const begun = performance.now();
    const query = { auth: this.token, data: newId(), price: "1" };
    // Without an answer, it is part of the outage.
    const answer = await sendTo(this.url, "/keys/create", { query, once: true }).catch(() => undefined);
    if (answer?.status === 200) this.acknowledged.push({ begun, at: performance.now() });
    else if (answer && answer.status !== 503 && answer.status !== 507) this.fault ??= answer;
  }

  /** Waits until changes that began from now on are acknowledged again. */
  async isOver(): Promise<void> {
    const from = performance.now() + 2 * EVERY_MS;
    const giveUp = from + FOUR_MINUTES;
    while (this.acknowledged.filter(({ begun }) => begun > from).length < ENOUGH) {
      expect(performance.now(), "Nothing is acknowledged any more.").toBeLessThan(giveUp);
      await sleep(EVERY_MS);
    }
  }

  /** Ends the client. Returns the longest time without an acknowledged change, in seconds. */
  stop(): number {
    clearInterval(this.asking);
    expect(this.fault?.text).toBeUndefined();
    const times = this.acknowledged.map(({ at }) => at).sort((a, b) => a - b);
    return Math.max(...times.map((time, n) => time - (times[n - 1] ?? time))) / 1_000;
  }
}

/**
 * Starts the cluster of docs/high-availability, changes keys and links programs through it at full speed, and breaks it
 * in each way in turn. After each, it must work again by itself, and every acknowledged change must be there, and no
 * unrequested one.
 */
test("a cluster that is broken twenty times loses nothing acknowledged, and works again by itself", async ({
  annotate,
}) => {
  const breakages = Array.from({ length: 20 }, (_, n) => EACH_KIND[n % EACH_KIND.length] as Breakage);
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
      await annotate(`${breakage}: ${outage.stop().toFixed(1)} seconds without a change`);
      await untilWhole(cluster);
      for (const ledger of ledgers) await ledger.verify();
    }
  } finally {
    operator.stop();
    await cluster.stop();
    for (const way of [...ways.values()].flat()) await way.cut();
    for (const disk of disks.values()) disk.remove();
    rmSync(folder, { recursive: true });
  }
});
