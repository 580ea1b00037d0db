import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort, type ScratchServer, stopServer, unprivilegedUser, untilPostgresAnswers } from "./scratch-server";

/** Where PostgreSQL's programs are on this machine, newest version first; undefined where there are none. */
export function postgresBinaries(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(root, version, "bin")), "/usr/local/bin", "/opt/homebrew/bin", "/usr/bin"];
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));
}

export interface ScratchPostgres extends ScratchServer {
  /** Ends the server, calls `meanwhile`, and starts it again on the same data and port. "immediate" is PostgreSQL's word for as if it crashed. */
  restart(mode: "fast" | "immediate", meanwhile?: () => Promise<void>): Promise<void>;
  /** Ends the server for good, as if it crashed. */
  crash(): Promise<void>;
}

/**
 * Starts a PostgreSQL of its own in a temporary folder, on a free port of 127.0.0.1. PostgreSQL refuses to run as root, so
 * for root it runs as `nobody`. `settings` are further `-c` settings of the server; `standbyOf` is the address of another one whose
 * standby it is. Its `url` is that of the maintenance database. Throws where no binaries are found.
 */
export async function startPostgres(settings: string[] = [], standbyOf?: string): Promise<ScratchPostgres> {
  const bin = postgresBinaries();
  if (!bin) throw new Error("No PostgreSQL programs (initdb, postgres) were found on this machine.");

  const folder = mkdtempSync(join(tmpdir(), "latchkey-postgres-"));
  const asUser = process.getuid?.() === 0 ? unprivilegedUser() : {};
  chmodSync(folder, 0o777);
  const data = join(folder, "data");
  const [program, ...how] = standbyOf
    ? ["pg_basebackup", "-d", standbyOf, "--write-recovery-conf", "--checkpoint=fast"]
    : ["initdb", "-U", "latchkey", "-A", "trust", "-E", "UTF8", "--no-locale"];
  execFileSync(join(bin, program), ["-D", data, "--no-sync", ...how], { ...asUser, stdio: "ignore", cwd: folder });

  const port = await freePort();
  const options = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "max_connections=200", "log_min_messages=fatal", ...settings];
  const parameters = ["-D", data, "-p", String(port), ...options.flatMap((option) => ["-c", option])];
  const launch = () => spawn(join(bin, "postgres"), parameters, { ...asUser, stdio: "ignore", cwd: folder });
  let server = launch();

  const url = `postgresql://latchkey@127.0.0.1:${port}/postgres`;
  const stop = () => stopServer(server, folder);
  try {
    await untilPostgresAnswers(url, server);
  } catch (error) {
    await stop();
    throw error;
  }
  const end = async (signal: "SIGINT" | "SIGQUIT") => {
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  };
  return {
    url,
    stop,
    crash: () => end("SIGQUIT"),
    async restart(mode, meanwhile) {
      await end(mode === "fast" ? "SIGINT" : "SIGQUIT");
      await meanwhile?.();
      server = launch();
      await untilPostgresAnswers(url, server);
    },
  };
}

/** Makes a database on the server at `url`, empty or a copy of `template`, and answers its address. */
export async function createDatabase(url: string, name: string, template = "template0"): Promise<string> {
  await run(url, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

/** Removes a database, whoever is still connected to it. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await run(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
