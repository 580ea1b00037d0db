import { chmodSync, existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectOnce, freePort, type ScratchServer, startScratch, unprivilegedUser } from "./scratch-server";

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
