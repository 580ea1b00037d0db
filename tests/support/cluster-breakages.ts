import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect } from "vitest";
import type { DatabaseMachine, Machine } from "@/scripts/cluster/samples";
import type { Cluster } from "@/scripts/cluster/start";
import { signalAll } from "@/scripts/cluster/supervised";
import type { Breakable } from "./breakable";
import type { SmallFolder } from "./small-disk";

export interface Broken {
  cluster: Cluster;
  primary: DatabaseMachine;
  /** The ways into the primary, and from its Patroni to etcd. */
  ways: Breakable[];
  /** Where the primary's data is. */
  disk: SmallFolder | undefined;
}

const THREE_MINUTES = 180_000;
/** Longer than a machine that is back takes to see that it has been replaced. */
const BACK_MS = 10_000;

/** Breaks something. Returns what repairs it, to be called when the rest works again; a machine restarts by itself. */
type Break = (broken: Broken) => Promise<() => Promise<void>>;

const nothing = async () => {};

/** Opens a connection to a machine's PostgreSQL, as a client has that does not go through HAProxy. */
async function holdConnection(cluster: Cluster, machine: DatabaseMachine): Promise<Client> {
  const address = new URL(await cluster.superuser(machine));
  address.pathname = "/latchkey";
  const client = new Client(address.href);
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Whoever still has a connection to a replaced primary gets no acknowledgement from it. */
async function expectNoWrite(client: Client): Promise<void> {
  const insert = `INSERT INTO "RetiredName" ("usernameKey", "retiredAt") VALUES ($1, now())`;
  const written = client.query(insert, [randomBytes(8).toString("hex")]).then(
    () => "written",
    () => "refused",
  );
  const answer = await Promise.race([written, sleep(BACK_MS, "waiting")]);
  expect(answer).not.toBe("written");
  await client.end();
}

/** Ends all processes of a machine immediately, as a power cut would; it is back half a minute later. */
const killed = (which: (broken: Broken) => Promise<Machine | undefined>) => async (broken: Broken) => {
  const machine = await which(broken);
  if (!machine) throw new Error("There is no such machine.");
  signalAll(broken.cluster.pids(machine), "SIGKILL");
  return nothing;
};

export const BREAKAGES = {
  "primary killed": killed(async ({ primary }) => primary),
  "synchronous standby killed": killed(async ({ cluster }) => roleOf(cluster, "sync_standby")),
  "process killed": async ({ cluster }) => {
    signalAll(cluster.pids("app1", "latchkey"), "SIGKILL");
    return nothing;
  },
  "postgres killed": async ({ cluster, primary }) => {
    signalAll(cluster.pids(primary, "postgresql").slice(0, 1), "SIGKILL");
    return nothing;
  },
  "planned switchover": async ({ cluster, primary }) => {
    await cluster.switchover(primary);
    return nothing;
  },
  "primary cut off": async ({ ways }) => {
    for (const way of ways) way.freeze();
    return async () => {
      for (const way of ways) await way.cut();
      for (const way of ways) await way.mend();
    };
  },
  "primary frozen": async ({ cluster, primary }) => {
    const client = await holdConnection(cluster, primary);
    const pids = [...cluster.pids(primary, "patroni"), ...cluster.pids(primary, "postgresql")];
    signalAll(pids, "SIGSTOP");
    return async () => {
      const successor = await roleOf(cluster, "leader");
      expect(successor).not.toBe(primary);
      signalAll(pids, "SIGCONT");
      await expectNoWrite(client);
      expect(await roleOf(cluster, "leader")).toBe(successor);
    };
  },
  "disk full": async ({ cluster, primary, disk }) => {
    const client = await holdConnection(cluster, primary);
    disk?.fill();
    const isReplaced = async () => {
      // Goes on to the next file of the log, as more load would; without room for one, the primary stops.
      await client.query("SELECT pg_switch_wal()").catch(() => {});
      return ![undefined, primary].includes(await roleOf(cluster, "leader"));
    };
    await expect.poll(isReplaced, { timeout: THREE_MINUTES, interval: 500 }).toBe(true);
    await client.end();
    return async () => disk?.free();
  },
} satisfies Record<string, Break>;

export type Breakage = keyof typeof BREAKAGES;

/** The machine with this role; undefined while there is none. */
export async function roleOf(cluster: Cluster, role: string): Promise<DatabaseMachine | undefined> {
  return (await cluster.members()).find((member) => member.role === role)?.name;
}
