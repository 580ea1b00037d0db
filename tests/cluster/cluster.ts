import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect } from "vitest";
import { hasEnded, unprivilegedUser } from "@/scripts/scratch-server";
import { DATABASES, type DatabaseMachine, MACHINES, type Machine, readSamples, type Way } from "./samples";

/** How long a machine takes to start again. */
const RESTART_MS = 30_000;
/** How long a program has to end by itself. */
const PATIENCE_MS = 15_000;

interface Launch {
  name: string;
  program: string;
  parameters?: string[];
  environment?: Record<string, string>;
  /** Where it runs, if not in the cluster's folder. */
  folder?: string;
  /** Latchkey and HAProxy may be root. PostgreSQL, Patroni and PgBouncer refuse to. */
  isRoot?: true;
}

type Supervised = ReturnType<typeof supervise>;

/**
 * Starts a program in `folder`, with its output in `folder/log`, and again half a minute after it ends, as on a machine
 * that starts again. It ends with this process, however this one ends: the
 * kernel sees to that (setpriv --pdeathsig).
 */
function supervise(folder: string, how: Launch) {
  const log = openSync(join(folder, "log", `${how.name}.log`), "a");
  const user = how.isRoot ? undefined : unprivilegedUser();
  const asWhom = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups"] : [];
  let child: ChildProcess;
  let isStopping = false;
  const start = () => {
    child = spawn("setpriv", [...asWhom, "--pdeathsig=TERM", "--", how.program, ...(how.parameters ?? [])], {
      cwd: how.folder ?? folder,
      env: { PATH: `${process.env.PATH}:/usr/sbin`, NODE_ENV: "production", ...how.environment },
      stdio: ["ignore", log, log],
      // Ctrl+C reaches this process alone, which then ends them in order.
      detached: true,
    });
    child.once("exit", () => setTimeout(() => isStopping || start(), RESTART_MS).unref());
  };
  start();
  /** The ids of its process and of all that it started. */
  const pids = () => (hasEnded(child) ? [] : descendants(child.pid ?? 0));
  return {
    pids,
    /** Ends it for good: politely first, then by force. */
    async stop(): Promise<void> {
      isStopping = true;
      if (hasEnded(child)) return;
      const ended = new Promise((resolve) => child.once("exit", resolve));
      signalAll(pids(), "SIGCONT");
      child.kill("SIGTERM");
      await Promise.race([ended, sleep(PATIENCE_MS, undefined, { ref: false })]);
      signalAll(pids(), "SIGKILL");
      await ended;
    },
  };
}

/** The process of this id and all that descend from it, parents first. */
export function descendants(pid: number): number[] {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const all = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) for (const [child, itsParent] of all) if (itsParent === parent) found.push(child ?? 0);
  return found;
}

/** Sends a signal to processes; those that have ended meanwhile are passed over. */
export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** What Patroni's API (`GET /cluster`) says of a machine. */
export interface Member {
  name: DatabaseMachine;
  role: string;
  state: string;
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
  /** The machine with this role; undefined while there is none. */
  withRole(role: string): Promise<DatabaseMachine | undefined>;
  /** Asks Patroni to make another machine the primary, as for its maintenance. */
  switchover(from: DatabaseMachine): Promise<void>;
  /** Opens a connection of the superuser to a machine's PostgreSQL that does not go through HAProxy. */
  connect(machine: DatabaseMachine, database?: string): Promise<Client>;
  stop(): Promise<void>;
}

const SOON = { timeout: 120_000, interval: 300 };

/**
 * Starts it all on this machine, in an empty folder, by the files of docs/high-availability, from the build that is
 * there. Throws if something does not start within two minutes: the folder has a log of each program.
 */
export async function startCluster(folder: string, way: Way): Promise<Cluster> {
  mkdirSync(join(folder, "log"), { recursive: true });
  chmodSync(folder, 0o755);
  const samples = readSamples(folder, way);
  const running: { machine: Machine; name: string; program: Supervised }[] = [];
  const user = unprivilegedUser();
  for (const machine of Object.keys(MACHINES)) {
    mkdirSync(join(folder, machine), { recursive: true });
    chmodSync(join(folder, machine), 0o755);
    if (user) chownSync(join(folder, machine), user.uid, user.gid);
  }
  const launch = (machine: Machine, how: Launch) => {
    const environment = { HOME: join(folder, machine), ...how.environment };
    const program = supervise(folder, { ...how, environment, name: `${machine}-${how.name}` });
    running.push({ machine, name: how.name, program });
  };
  /** Puts a sample where the machine finds it. */
  const place = async (file: string, machine: Machine, mode = 0o644) => {
    const path = join(folder, machine, file);
    writeFileSync(path, await samples.text(file, machine), { mode });
    return path;
  };
  const api = async (machine: DatabaseMachine, path: string, asking: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${await samples.port(machine, 8008)}${path}`, asking);
    if (!response.ok) throw new Error(await response.text());
    return response;
  };

  /** A member of etcd, and PostgreSQL under Patroni. */
  async function startDatabase(machine: DatabaseMachine): Promise<void> {
    const etcd = await samples.variables("etcd.env", machine);
    launch(machine, { name: "etcd", program: "etcd", environment: { ...etcd, ETCD_NAME: machine } });
    for (const program of ["copy", "rewind"]) await place(program, machine, 0o755);
    const environment = { ...(await samples.variables("patroni.env", machine)), PATRONI_NAME: machine };
    launch(machine, {
      name: "patroni",
      program: "patroni",
      parameters: [await place("patroni.yml", machine)],
      environment,
    });
  }

  /**
   * HAProxy, which leads to the primary, PgBouncer and Latchkey. On app2 it uses PgBouncer, as many processes would; on
   * app1 it goes without.
   */
  async function startApplication(machine: Machine): Promise<void> {
    const variables = await samples.variables("latchkey.env", machine);
    const url = new URL(String(variables.DATABASE_URL));
    writeFileSync(join(folder, machine, "userlist.txt"), `"${url.username}" "${url.password}"\n`);
    const haproxy = ["-db", "-f", await place("haproxy-database.cfg", machine)];
    launch(machine, { name: "haproxy", program: "haproxy", parameters: haproxy, isRoot: true });
    const pooler = ["-q", await place("pgbouncer.ini", machine)];
    launch(machine, { name: "pgbouncer", program: "pgbouncer", parameters: pooler });
    if (machine === "app2") url.port = String(await samples.port(machine, 6432));
    launch(machine, {
      name: "latchkey",
      program: process.execPath,
      parameters: [join(process.cwd(), "scripts", "start.mjs")],
      environment: {
        ...variables,
        DATABASE_URL: url.href,
        DIRECT_DATABASE_URL: String(variables.DATABASE_URL),
        PORT: String(await samples.port(machine, 3000)),
        NEXTAUTH_URL: cluster.url,
        DATA_DIR: join(folder, machine, "data"),
      },
      folder: process.cwd(),
      isRoot: true,
    });
  }

  const cluster: Cluster = {
    url: `http://127.0.0.1:${await samples.port("lb1", 443)}`,
    storage: await samples.variables("latchkey.env", "app1"),
    pids: (machine, part = "") => {
      const started = running.filter(({ machine: at, name }) => at === machine && name.includes(part));
      const own = started.flatMap(({ program }) => program.pids());
      return "postgresql".includes(part) ? [...own, ...postgresAt(folder, machine)] : own;
    },
    members: () => {
      const asked = DATABASES.map(async (machine) => {
        const response = await api(machine, "/cluster", { signal: AbortSignal.timeout(2_000) });
        return ((await response.json()) as { members: Member[] }).members;
      });
      return Promise.any(asked).catch(() => []);
    },
    withRole: async (role) => (await cluster.members()).find((member) => member.role === role)?.name,
    switchover: async (from) =>
      void (await api(from, "/switchover", { method: "POST", body: JSON.stringify({ leader: from }) })),
    async connect(machine, database = "postgres") {
      const port = await samples.port(machine, 5432);
      const variables = await samples.variables("patroni.env", machine);
      const { PATRONI_SUPERUSER_USERNAME: user, PATRONI_SUPERUSER_PASSWORD: password } = variables;
      const client = new Client({ host: "127.0.0.1", port, user, password, database });
      client.on("error", () => {});
      await client.connect();
      return client;
    },
    async stop() {
      // Who needs others ends first. Patroni ends its PostgreSQL.
      for (const { program } of running.reverse()) await program.stop();
      for (const machine of DATABASES) signalAll(postgresAt(folder, machine), "SIGKILL");
    },
  };
  try {
    for (const machine of DATABASES) await startDatabase(machine);
    const started = async () => (await cluster.members()).filter(({ state }) => /^(?:running|streaming)$/.test(state));
    await expect.poll(async () => (await started()).length, SOON).toBe(3);
    const client = await cluster.connect((await cluster.withRole("leader")) ?? "db1");
    const { password } = new URL(String(cluster.storage.DATABASE_URL));
    await client.query(`CREATE ROLE latchkey LOGIN PASSWORD '${password}'`);
    await client.query("CREATE DATABASE latchkey OWNER latchkey");
    await client.end();
    for (const machine of ["app1", "app2"] as const) await startApplication(machine);
    const balancer = ["-db", "-f", await place("haproxy-balancer.cfg", "lb1")];
    launch("lb1", { name: "haproxy", program: "haproxy", parameters: balancer, isRoot: true });
    const isReady = () =>
      fetch(`${cluster.url}/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
    await expect.poll(isReady, SOON).toBe(true);
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** A machine's PostgreSQL, which survives the Patroni that started it. */
function postgresAt(folder: string, machine: Machine): number[] {
  const file = join(folder, machine, "postgresql", "postmaster.pid");
  const pid = existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : 0;
  // The file of one that was killed may name another program's process meanwhile.
  const isIt = pid > 0 && existsSync(`/proc/${pid}`) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
  return isIt ? descendants(pid) : [];
}
