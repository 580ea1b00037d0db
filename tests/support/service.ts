import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { migratePostgres } from "@/lib/platform/db/migrate";
import { createDatabase, dropDatabase } from "@/scripts/postgres";
import { endWithThisProcess, freePort, hasEnded, startPgBouncer } from "@/scripts/scratch-server";
import { acquirePostgres } from "./databases";
import { balance } from "./sockets";

/** How a service runs, and where it stores its rows. */
export interface Target {
  lane: "direct" | "next";
  database: "sqlite" | "postgresql";
  /**
   * More than one: this many processes on one database, and a load balancer in front that passes each connection to the
   * next.
   */
  processes?: number;
  /** A PgBouncer in transaction mode is between the processes and PostgreSQL, with two connections for all of them. */
  pooler?: true;
  /** People open it by this name; without it, by the number 127.0.0.1. Browsers have passkeys for names only. */
  name?: "localhost";
}

export interface Service {
  url: string;
  eachUrl: string[];
  /** The variables for its database and secret: with them, another process uses the same rows. */
  storage: Record<string, string>;
  metricsToken: string;
  cronSecret: string;
  logFile: string;
  /** Client networks are known. Under plain Next they are not: limits by network are off. */
  knowsNetworks: boolean;
  /** Only the project's own names lead to it, so it refuses no host. */
  isOnVercel: boolean;
  /** The limit of each network is counted in one process. */
  isOneProcess: boolean;
}

export interface RunningService extends Service {
  pids(): number[];
  ended(): Promise<void>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Far above what any start takes, because a slow machine is no failure; below what vitest waits. */
const GIVE_UP_MS = 240_000;

type Endings = (() => unknown)[];

/**
 * Starts a separate service on an empty database. Tests act as the proxy in front of it: this machine is trusted, so
 * each request comes from the network in its X-Forwarded-For. Plain Next trusts nobody; on PostgreSQL it runs as on
 * Vercel, which vouches for the address. `variables` are added to its environment. `postgres` is the server for its
 * database; by default, the one shared by all projects of a run. If it throws, it leaves nothing running.
 */
export async function startService(
  target: Target,
  variables: Record<string, string> = {},
  postgres?: { url: string },
): Promise<RunningService> {
  const endings: Endings = [];
  const stop = async () => {
    for (const end of endings.splice(0).reverse()) await end();
  };
  try {
    return { ...(await start(target, variables, postgres, endings)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { lane, database, processes = 1, pooler, name }: Target,
  variables: Record<string, string>,
  postgres: { url: string } | undefined,
  endings: Endings,
): Promise<Omit<RunningService, "stop">> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-service-"));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  const balancer = processes > 1 ? await balance(ports) : undefined;
  endings.push(() => balancer?.close());
  const url = `http://${name ?? "127.0.0.1"}:${balancer?.port ?? ports[0]}`;
  const rowsUrl = database === "sqlite" ? undefined : await postgresDatabase(postgres, endings);
  const between = pooler && rowsUrl ? await startPgBouncer(rowsUrl) : undefined;
  endings.push(() => between?.stop());
  const storage = {
    DATA_DIR: join(folder, "data"),
    AUTH_SECRET: randomBytes(32).toString("base64url"),
    ...(rowsUrl ? { DATABASE_URL: between?.url ?? rowsUrl } : {}),
  };
  const metricsToken = randomBytes(16).toString("hex");
  const cronSecret = randomBytes(16).toString("hex");
  const isOnVercel = lane === "next" && rowsUrl !== undefined;
  if (isOnVercel) await migratePostgres({ connectionString: rowsUrl });

  const logFile = join(folder, "log");
  const eachUrl = ports.map((port) => `http://127.0.0.1:${port}`);
  const environment = {
    ...{ PATH: process.env.PATH ?? "", HOME: folder, METRICS_TOKEN: metricsToken, CRON_SECRET: cronSecret },
    ...storage,
    ...{ HOST: "127.0.0.1", TRUSTED_PROXIES: "loopback", CONTACT: "help@example.org" },
    ...(lane === "next" || rowsUrl ? { NEXTAUTH_URL: url } : {}),
    ...(isOnVercel ? { VERCEL: "1" } : {}),
    ...variables,
  };
  let children: ChildProcess[] = [];
  const launchAll = async () => {
    children = ports.map((port) => launch(lane, { ...environment, PORT: String(port) }, logFile));
    for (const child of children) endWithThisProcess(child, folder);
    await Promise.all(children.map((child, n) => untilReady(child, `${eachUrl[n]}/ready`, logFile)));
  };
  const endAll = () => Promise.all(children.map(end)).then(() => {});
  endings.push(endAll);
  await launchAll();
  return {
    url,
    eachUrl,
    storage,
    metricsToken,
    cronSecret,
    logFile,
    knowsNetworks: lane === "direct" || isOnVercel,
    isOnVercel,
    isOneProcess: processes === 1,
    pids: () => children.flatMap(({ pid }) => pid ?? []),
    ended: () => Promise.all(children.map(gone)).then(() => {}),
    kill: endAll,
    restart: launchAll,
  };
}

async function postgresDatabase(own: { url: string } | undefined, endings: Endings): Promise<string> {
  const server = own ? { url: own.url, release: async () => {} } : await acquirePostgres();
  endings.push(server.release);
  const name = `latchkey_test_${randomBytes(6).toString("hex")}`;
  endings.push(() => dropDatabase(server.url, name));
  return createDatabase(server.url, name);
}

function launch(lane: Target["lane"], environment: Record<string, string>, logFile: string): ChildProcess {
  const program =
    lane === "direct"
      ? ["scripts/start.mjs"]
      : ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", String(environment.PORT)];
  const log = openSync(logFile, "a");
  const build = join(".builds", readFileSync(".builds/current", "utf8").trim());
  return spawn(process.execPath, program, {
    env: { ...environment, NODE_ENV: "production", BUILD_DIR: build },
    stdio: ["ignore", log, log],
  });
}

async function untilReady(child: ChildProcess, url: string, logFile: string): Promise<void> {
  const giveUp = Date.now() + GIVE_UP_MS;
  for (;;) {
    // A refused connection is the answer of a service that does not listen yet.
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    if (hasEnded(child) || Date.now() > giveUp)
      throw new Error(`The service did not start:\n${readFileSync(logFile, "utf8")}`);
    await sleep(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await gone(child);
}

async function gone(child: ChildProcess): Promise<void> {
  if (!hasEnded(child)) await once(child, "exit");
}
