import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { expect } from "vitest";
import type { Breakable } from "@/tests/support/breakable";
import type { SmallFolder } from "@/tests/support/small-disk";
import type { Cluster } from "./cluster";
import { signalAll } from "./programs";
import type { DatabaseMachine, Machine } from "./samples";

export interface Broken {
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

export const BREAKAGES = {
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

export type Breakage = keyof typeof BREAKAGES;

/** Whoever still has a connection to a replaced primary gets no acknowledgement from it. */
async function expectNoWrite(client: Client): Promise<void> {
  const insert = `INSERT INTO "RetiredName" ("usernameKey", "retiredAt") VALUES ($1, now())`;
  const written = client.query(insert, [randomBytes(8).toString("hex")]).then(
    () => "written",
    () => "refused",
  );
  expect(await Promise.race([written, sleep(BACK_MS, "waiting")])).not.toBe("written");
  await client.end();
}
