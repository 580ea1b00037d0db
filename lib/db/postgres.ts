import { Socket } from "node:net";
import { PrismaPg } from "@prisma/adapter-pg";
import { Client, type ClientBase, type ClientConfig, Pool } from "pg";
import { env } from "@/lib/env";
import { PrismaClient as PostgresClient } from "@/prisma/generated/postgresql/client";
import type { Prisma, PrismaClient } from "@/prisma/generated/sqlite/client";
import { closeBeforeFreezing } from "./before-freezing";
import { READ_ONLY } from "./errors";
import { lookForPooler } from "./pooler";

export { postgresSql } from "./postgres-sql";

/** Time limit for a new connection. */
const CONNECTING_MS = 5_000;

/** How long an idle connection is kept; with any traffic, one is needed again soon. */
const IDLE_MS = env.VERCEL ? 5_000 : 10_000;

/** pg's configuration for the server at an address. */
export function postgresConfig(url: string): ClientConfig & { connectionString: string } {
  const address = new URL(url);
  const { searchParams } = address;
  // pg treats these as verify-full, which is the safe reading, and warns about it in nine lines at every start.
  if (
    /^(?:prefer|require|verify-ca)$/.test(searchParams.get("sslmode") ?? "") &&
    searchParams.get("uselibpqcompat") !== "true"
  )
    searchParams.set("sslmode", "verify-full");
  return { connectionString: address.href };
}

/** Bypasses a pooler, for work that needs a session or more than a few seconds. */
export const sessionConfig = () => postgresConfig(env.DIRECT_DATABASE_URL ?? String(env.DATABASE_URL));

/** The connection pool of this process. */
export function openPool(): Pool {
  const pool = new Pool({
    ...postgresConfig(String(env.DATABASE_URL)),
    max: env.DATABASE_CONNECTIONS,
    // Statements are sent without waiting for those before on the same connection.
    pipeline: true,
    connectionTimeoutMillis: CONNECTING_MS,
    stream: impatientSocket,
    idleTimeoutMillis: IDLE_MS,
    onConnect: lookForPooler,
  });
  closeBeforeFreezing(pool, IDLE_MS);
  // An idle connection that the server closed is replaced at the next query; without a listener it would end the
  // process.
  pool.on("error", () => {});
  pool.on("connect", leaveReadOnly);
  return pool;
}

/** Prisma's client on that pool. SQLite's type is narrower, so the compiler refuses what only PostgreSQL can do. */
export function prismaClient(
  pool: Pool,
  options: Pick<Prisma.PrismaClientOptions, "log" | "transactionOptions">,
): PrismaClient {
  return new PostgresClient({ adapter: new PrismaPg(pool), ...options }) as unknown as PrismaClient;
}

/** A read-only server stays read-only on this connection; a new one may reach another server. */
function leaveReadOnly({ connection }: Client): void {
  connection.on("errorMessage", ({ code }: { code?: string }) => {
    if (code === READ_ONLY) setImmediate(() => connection.stream.destroy());
  });
}

/**
 * If packets are dropped on the way, or a commit waits for a standby that is down, a statement would wait for minutes:
 * a silent connection is closed.
 */
function impatientSocket(): Socket {
  const socket = new Socket();
  const silence = Object.assign(new Error("The database did not respond in time."), { code: "ETIMEDOUT" });
  return socket.setTimeout(env.DATABASE_TIMEOUT_SECONDS * 1_000, () => socket.destroy(silence));
}

/** For `tryConnecting` of ./client. */
export async function tryPostgres(toWrite?: "to write"): Promise<void> {
  const client = new Client({
    ...postgresConfig(String(env.DATABASE_URL)),
    connectionTimeoutMillis: CONNECTING_MS,
    stream: impatientSocket,
  });
  // connect() reports it too; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await lookForPooler(client);
    if (toWrite && (await isReadOnly(client)))
      throw Object.assign(new Error("The database is read-only."), { code: READ_ONLY });
  } finally {
    await client.end();
  }
}

async function isReadOnly(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ answer: string }>(
    `SELECT current_setting('transaction_read_only') AS "answer"`,
  );
  return rows[0]?.answer === "on";
}
