import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type Launcher, startApplication, startBalancer, startDatabase, startWayToDatabase } from "./machines";
import { DATABASES, type DatabaseMachine, type Machine, readSamples, type Way } from "./samples";
import { descendants, type Supervised, signalAll, supervise } from "./supervised";

const APPLICATIONS = ["app1", "app2"] as const;

/** What Patroni's API (`GET /cluster`) says of a machine. */
export interface Member {
  name: DatabaseMachine;
  role: string;
  state: string;
  port: number;
}

export interface Cluster {
  /** The address of the load balancer. */
  url: string;
  /** The variables for a further process on the same database. */
  storage: Record<string, string>;
  /** The processes of a machine, or of those of its programs whose names have this part. */
  pids(machine: Machine, program?: string): number[];
  /** What Patroni says of its machines; empty while none responds. */
  members(): Promise<Member[]>;
  /** Asks Patroni to make another machine the primary, as for its maintenance. */
  switchover(from: DatabaseMachine): Promise<void>;
  /** The address by which the superuser reaches a machine's PostgreSQL. */
  superuser(machine: DatabaseMachine): Promise<string>;
  stop(): Promise<void>;
}

const TWO_MINUTES = 120_000;

/**
 * Starts it all on this machine, in an empty folder, by the files of docs/high-availability, from the build that is
 * there. `onProgress` is told in words what is being waited for. Throws if something does not start within two minutes.
 */
export async function startCluster(
  folder: string,
  onProgress: (words: string) => void = () => {},
  way: Way = async (_, port) => port,
): Promise<Cluster> {
  mkdirSync(join(folder, "log"), { recursive: true });
  chmodSync(folder, 0o755);
  const samples = readSamples(folder, way);
  const running: { machine: Machine; name: string; program: Supervised }[] = [];
  const launch: Launcher = (machine, how) => {
    const environment = { HOME: join(folder, machine), ...how.environment };
    const program = supervise(folder, { ...how, environment, name: `${machine}-${how.name}` });
    running.push({ machine, name: how.name, program });
  };

  const cluster: Cluster = {
    url: `http://127.0.0.1:${await samples.port("lb1", 443)}`,
    storage: await samples.variables("latchkey.env", "app1"),
    pids: (machine, part = "") => [
      ...running.flatMap(({ machine: at, name, program }) =>
        at === machine && name.includes(part) ? program.pids() : [],
      ),
      ...("postgresql".includes(part) ? postgresAt(folder, machine) : []),
    ],
    async members() {
      const asked = DATABASES.map(async (machine) => {
        const response = await fetch(`http://127.0.0.1:${await samples.port(machine, 8008)}/cluster`, {
          signal: AbortSignal.timeout(2_000),
        });
        return ((await response.json()) as { members: Member[] }).members;
      });
      return Promise.any(asked).catch(() => []);
    },
    async switchover(from) {
      const response = await fetch(`http://127.0.0.1:${await samples.port(from, 8008)}/switchover`, {
        method: "POST",
        body: JSON.stringify({ leader: from }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async superuser(machine) {
      const { PATRONI_SUPERUSER_USERNAME: user, PATRONI_SUPERUSER_PASSWORD: password } = await samples.variables(
        "patroni.env",
        machine,
      );
      return `postgresql://${user}:${password}@127.0.0.1:${await samples.port(machine, 5432)}/postgres`;
    },
    async stop() {
      // Who needs others ends first. Patroni ends its PostgreSQL.
      for (const { program } of running.reverse()) await program.stop();
      for (const machine of DATABASES) signalAll(postgresAt(folder, machine), "SIGKILL");
    },
  };
  try {
    onProgress("Starting three PostgreSQL under Patroni, which agree through etcd.");
    for (const machine of DATABASES) await startDatabase(folder, machine, samples, launch);
    await until(async () => {
      const members = await cluster.members();
      return members.length === 3 && members.every(({ state }) => state === "running" || state === "streaming");
    });
    await createDatabase(cluster);
    for (const machine of APPLICATIONS) await startWayToDatabase(folder, machine, samples, launch);
    onProgress("Starting two Latchkey and the load balancer.");
    for (const machine of APPLICATIONS) await startApplication(folder, machine, samples, launch);
    await startBalancer(folder, samples, launch);
    await until(async () => (await fetch(`${cluster.url}/ready`).catch(() => undefined))?.ok === true);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

async function createDatabase(cluster: Cluster): Promise<void> {
  const leader = (await cluster.members()).find(({ role }) => role === "leader");
  if (!leader) throw new Error("Patroni has no leader.");
  const { password } = new URL(String(cluster.storage.DATABASE_URL));
  const client = new Client(await cluster.superuser(leader.name));
  await client.connect();
  await client.query(`CREATE ROLE latchkey LOGIN PASSWORD '${password}'`);
  await client.query("CREATE DATABASE latchkey OWNER latchkey");
  await client.end();
}

/** A machine's PostgreSQL, which survives the Patroni that started it. */
function postgresAt(folder: string, machine: Machine): number[] {
  const file = join(folder, machine, "postgresql", "postmaster.pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  // The file of one that was killed may name another program's process meanwhile.
  const isIt = pid > 0 && existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  return isIt ? descendants(pid) : [];
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const giveUp = Date.now() + TWO_MINUTES;
  while (!(await isTrue())) {
    if (Date.now() > giveUp) throw new Error("The cluster did not start. Its folder has a log of each program.");
    await sleep(300);
  }
}
