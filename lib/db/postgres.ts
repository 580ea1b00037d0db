import { Socket } from "node:net";
import { Client, type ClientBase, type ClientConfig, Pool } from "pg";
import { env } from "@/lib/env";
import { closeBeforeFreezing } from "./before-freezing";
import { READ_ONLY } from "./errors";
import { lookForPooler } from "./pooler";

/** How long a new connection may take. */
const CONNECTING_MS = 5_000;

/** How long a connection is kept that nobody uses; each needs one again soon where there is any traffic. */
const IDLE_MS = env.VERCEL ? 5_000 : 10_000;

/** What pg is told of the server at an address. */
export function postgresConfig(url: string): ClientConfig & { connectionString: string } {
  const address = new URL(url);
  const { searchParams } = address;
  // pg takes these for verify-full, which is the safe reading, and says so in nine lines at every start.
  if (/^(?:prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "") && searchParams.get("uselibpqcompat") !== "true")
    searchParams.set("sslmode", "verify-full");
  return { connectionString: address.href };
}

/** Where a pooler is between: past it, for what needs a session or more than a few seconds. */
export const sessionConfig = () => postgresConfig(env.DIRECT_DATABASE_URL ?? String(env.DATABASE_URL));

/** The connections of this process to the database at `url`. */
export function openPool(url: string): Pool {
  const pool = new Pool({
    ...postgresConfig(url),
    max: env.DATABASE_CONNECTIONS,
    connectionTimeoutMillis: CONNECTING_MS,
    stream: impatientSocket,
    idleTimeoutMillis: IDLE_MS,
    onConnect: lookForPooler,
  });
  closeBeforeFreezing(pool, IDLE_MS);
  // An idle connection that the server closed is replaced at the next query; without a listener it would end the process.
  pool.on("error", () => {});
  pool.on("connect", leaveReadOnly);
  return pool;
}

/** A server that only reads will go on doing so on this connection; a new one may lead to another server. */
function leaveReadOnly({ connection }: Client): void {
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) setImmediate(() => connection.stream.destroy());
  });
}

/** Where packets are dropped on the way, or a commit waits for a standby that is away, a statement would wait for minutes: a silent connection is given up. */
function impatientSocket(): Socket {
  const socket = new Socket();
  const silence = Object.assign(new Error("The database did not answer in time."), { code: "ETIMEDOUT" });
  return socket.setTimeout(env.DATABASE_TIMEOUT_SECONDS * 1_000, () => socket.destroy(silence));
}

/**
 * Throws what the database says to a new connection, where it does not take one or, asked `toWrite`, would refuse every write. SQLite has
 * none to take.
 */
export async function tryConnecting(toWrite?: "to write"): Promise<void> {
  if (!env.DATABASE_URL) return;
  const client = new Client({ ...postgresConfig(env.DATABASE_URL), connectionTimeoutMillis: CONNECTING_MS, stream: impatientSocket });
  // Said by connect() too; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lookForPooler(client);
    if (toWrite && (await isReadOnly(client))) throw Object.assign(new Error("The database is read-only."), { code: READ_ONLY });
  } finally {
    await client.end();
  }
}

async function isReadOnly(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ answer: string }>(`SELECT current_setting('transaction_read_only') AS "answer"`);
  return rows[0]?.answer === "on";
}
