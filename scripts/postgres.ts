import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { connectOnce, freePort, type ScratchServer, startScratch, unprivilegedUser } from "./scratch-server";

/** The path of PostgreSQL's programs on this machine, newest version first; undefined if there are none. */
export function postgresBinaries(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(root, version, "bin")),
    "/usr/local/bin",
    "/opt/homebrew/bin",
    "/usr/bin",
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

export interface ScratchPostgres extends ScratchServer {
  /**
   * Stops the server, calls `meanwhile`, and restarts it with the same data and port. "immediate" is PostgreSQL's mode
   * that acts like a crash.
   */
  restart(mode: "fast" | "immediate", meanwhile?: () => Promise<void>): Promise<void>;
  /** Stops the server for good, as if it crashed. */
  crash(): Promise<void>;
}

/**
 * Starts a separate PostgreSQL in a temporary folder, on a free port of 127.0.0.1. PostgreSQL refuses to run as root,
 * so for root it runs as `nobody`. `settings` are further `-c` settings of the server; `standbyOf` is the address of a
 * server to be the standby of. Its `url` leads to the maintenance database. Throws if no programs are found.
 */
export async function startPostgres(settings: string[] = [], standbyOf?: string): Promise<ScratchPostgres> {
  const bin = postgresBinaries();
  if (!bin) throw new Error("No PostgreSQL programs (initdb, postgres) were found on this machine.");

  const folder = mkdtempSync(join(tmpdir(), "latchkey-postgres-"));
  const asUser = unprivilegedUser();
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const [program, ...how] = standbyOf
    ? ["pg_basebackup", "-d", standbyOf, "--write-recovery-conf", "--checkpoint=fast"]
    : ["initdb", "-U", "latchkey", "-A", "trust", "-E", "UTF8", "--no-locale"];
  execFileSync(join(bin, program), ["-D", data, "--no-sync", ...how], { ...asUser, stdio: "ignore", cwd: folder });

  const port = await freePort();
  const options = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "max_connections=200",
    "log_min_messages=fatal",
    ...settings,
  ];
  const parameters = ["-D", data, "-p", String(port), ...options.flatMap((option) => ["-c", option])];
  const url = `postgresql://latchkey@127.0.0.1:${port}/postgres`;
  const launch = () =>
    startScratch(folder, {
      name: "PostgreSQL",
      program: join(bin, "postgres"),
      parameters,
      user: asUser,
      connect: () => connectOnce(url),
    });
  let running = await launch();
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ended = once(running.server, "exit");
    running.server.kill(signal);
    await ended;
  };
  return {
    url,
    stop: () => running.stop(),
    crash: () => end("SIGQUIT"),
    async restart(mode, meanwhile) {
      await end(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await meanwhile?.();
      running = await launch();
    },
  };
}

/** Creates a database on the server at `url`, empty or a copy of `template`, and returns its address. */
export async function createDatabase(url: string, name: string, template = "template0"): Promise<string> {
  await run(url, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Removes a database, even with open connections. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await run(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

/** Removes every database with this name prefix, even with open connections. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const rows = await run(url, "SELECT datname FROM pg_database WHERE starts_with(datname, $1)", [prefix]);
  for (const { datname } of rows) await dropDatabase(url, datname);
}

async function run(url: string, statement: string, values: string[] = []): Promise<{ datname: string }[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
