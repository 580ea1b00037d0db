import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** A temporary server in its own temporary folder. */
export interface ScratchServer {
  url: string;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Systems assign outgoing connections ports from 32,768 on. A client that keeps retrying such a port while its server
 * is down eventually gets that port itself. It is then connected to itself, and the server finds its port taken.
 * Up to 10,080 there are ports that `fetch` refuses.
 */
const PORTS_FROM = 10_100;
const PORTS = 22_000;
/** Processes that look for a port concurrently mostly start at different ports. */
const firstPort = (process.pid % 350) * 64;
let tried = 0;

/**
 * A port of 127.0.0.1 that is free, and that no other process gets from here as long as this one runs: between two
 * starts of a server, nobody listens there. Throws if there is none.
 */
export async function freePort(): Promise<number> {
  for (let left = PORTS; left > 0; left--) {
    const port = PORTS_FROM + ((firstPort + tried++) % PORTS);
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
  throw new Error(`All ports from ${PORTS_FROM} to ${PORTS_FROM + PORTS - 1} are taken.`);
}

/** Reserves a port for this process, by the UDP port of the same number. Resolves to false if somebody else has it. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const reservation = createSocket("udp4").unref();
    reservation.once("error", () => reservation.close(() => resolve(false)));
    reservation.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
  });
}

/** Whether nobody listens on this port of 127.0.0.1. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

/** A program that is a temporary server. */
interface Program {
  name: string;
  program: string;
  parameters: string[];
  /** The user that runs it; by default, that of this process. */
  user?: { uid: number; gid: number };
  /** Connects to it once, and disconnects. Throws if it does not respond. */
  connect(): Promise<void>;
}

/** Starts a temporary server in its `folder`, and waits until it responds. Throws if it does not, and stops it. */
export async function startScratch(
  folder: string,
  { name, program, parameters, user, connect }: Program,
): Promise<{ server: ChildProcess; stop(): Promise<void> }> {
  const server = spawn(program, parameters, { ...user, stdio: "ignore", cwd: folder });
  endWithThisProcess(server, folder);
  const stop = () => stopServer(server, folder);
  const deadline = Date.now() + 30_000;
  for (;;)
    try {
      await connect();
      return { server, stop };
    } catch (cause) {
      if (!hasEnded(server) && Date.now() < deadline) await sleep(50);
      else {
        await stop();
        throw new Error(`${name} did not start.`, { cause });
      }
    }
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Stops a server, by force after five seconds, and removes its folder. */
export async function stopServer(server: ChildProcess, folder: string): Promise<void> {
  if (!hasEnded(server)) {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGINT");
    await Promise.race([ended, sleep(5_000).then(() => server.kill("SIGKILL"))]);
  }
  rmSync(folder, { recursive: true, force: true });
}

/** What a shell does when its input ends, which only this process holds open: at the end of this process. */
const AFTERWARDS = 'read -r _; kill -INT "$1"; sleep 5; kill -KILL "$1"; rm -rf "$2"';

/**
 * Sees to it that `server` ends with this process, however this one ends, and that its folder is then removed. A test
 * that takes too long is killed, and can clean up nothing.
 */
export function endWithThisProcess(server: ChildProcess, folder: string): void {
  const guard = spawn("sh", ["-c", AFTERWARDS, "sh", String(server.pid), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    // Ctrl+C reaches this process, and not its guard.
    detached: true,
  });
  guard.unref();
  (guard.stdin as Socket).unref();
  server.once("exit", () => guard.kill("SIGKILL"));
}

/** Who runs programs that refuse to run as root: `nobody`. Undefined if this process is not root's. */
export function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** Connects to the database at `url` once. */
export async function connectOnce(url: string): Promise<void> {
  const client = new Client(url);
  client.on("error", () => {});
  await client.connect();
  await client.end();
}

/** The path of PgBouncer's program on this machine; undefined if there is none. */
export function pgbouncerBinary(): string | undefined {
  return ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"]
    .map((folder) => join(folder, "pgbouncer"))
    .find(existsSync);
}

/**
 * Starts a separate PgBouncer in front of the PostgreSQL at `behind`, on a free port of 127.0.0.1: transaction mode,
 * with `size` connections per database. Its `url` leads to the same database through it. It refuses to run as root, so
 * for root it runs as `nobody`. Throws if there is no program.
 */
export async function startPgBouncer(behind: string, size = 2): Promise<ScratchServer> {
  const program = pgbouncerBinary();
  if (!program) throw new Error("No PgBouncer program (pgbouncer) was found on this machine.");
  const folder = mkdtempSync(join(tmpdir(), "latchkey-pgbouncer-"));
  chmodSync(folder, 0o777);
  const { hostname, port: serverPort, username } = new URL(behind);
  const port = await freePort();
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "any",
    pool_mode: "transaction",
    default_pool_size: size,
    max_client_conn: 500,
    log_connections: 0,
    log_disconnections: 0,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    ["[databases]", `* = host=${hostname} port=${serverPort} user=${username}`, "[pgbouncer]", ...lines, ""].join("\n"),
    { mode: 0o644 },
  );
  const url = new URL(behind);
  url.port = String(port);
  const { stop } = await startScratch(folder, {
    name: "PgBouncer",
    program,
    parameters: ["-q", file],
    user: unprivilegedUser(),
    connect: () => connectOnce(url.href),
  });
  return { url: url.href, stop };
}
