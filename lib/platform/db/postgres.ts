import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { Client, type ClientBase, type Pool } from "pg";
import { PrismaClient as PostgresClient } from "@/prisma/generated/postgresql/client";
import type { Prisma, PrismaClient } from "@/prisma/generated/sqlite/client";
import { env } from "../env";
import { isFrozenAfterRequests, keepAwake, perProcess } from "../process";
import { READ_ONLY } from "./errors";
import { PatientPool } from "./patient-pool";
import { noteIsPooled } from "./pooler";
import {
  atSomeHost,
  CONNECTING_MS,
  countHosts,
  postgresConfig,
  prepareSession,
  type SessionConfig,
  schemaIn,
} from "./postgres-session";

/** Added to the time after which the pool closes idle connections. */
const MARGIN_MS = 100;

/**
 * Keeps this process awake until the pool has closed its idle connections, before the platform freezes it. Timers stop
 * in a frozen process, so the database would hold connections that nobody uses. Does nothing on other platforms.
 */
export function closeBeforeFreezing(pool: Pool, idleMs: number): void {
  let awake: AbortController | undefined;
  pool.on("release", () => {
    if (!isFrozenAfterRequests()) return;
    awake?.abort();
    awake = new AbortController();
    keepAwake(sleep(idleMs + MARGIN_MS, undefined, { signal: awake.signal }).catch(() => {}));
  });
}

export { postgresSql } from "./postgres-sql";

/** How long an idle connection is kept; with any traffic, one is needed again soon. */
const IDLE_MS = env.VERCEL ? 5_000 : 10_000;

/** The schema of our tables: the one that DATABASE_URL names, or that the first connection found. */
const chosen = perProcess("schema", (): { schema?: string } => ({}));

/** The connection pool of this process. */
export function openPool(): Pool {
  const pool = new PatientPool({
    ...postgresConfig(String(env.DATABASE_URL)),
    max: env.DATABASE_CONNECTIONS,
    // Statements are sent without waiting for those before on the same connection.
    pipeline: true,
    connectionTimeoutMillis: CONNECTING_MS,
    stream: impatientSocket,
    idleTimeoutMillis: IDLE_MS,
    onConnect: prepare,
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
  return new PostgresClient({ adapter: new InSchema(pool), ...options }) as unknown as PrismaClient;
}

/** Prisma names the schema in each statement, and asks for it once, when it connects. */
class InSchema extends PrismaPg {
  readonly #pool: Pool;
  readonly #options: { schema?: string };

  constructor(pool: Pool) {
    const options: { schema?: string } = {};
    super(pool, options);
    this.#pool = pool;
    this.#options = options;
  }

  override async connect() {
    if (!chosen.schema) (await this.#pool.connect()).release();
    this.#options.schema = chosen.schema;
    return super.connect();
  }
}

async function prepare(client: ClientBase): Promise<void> {
  const { schema, isPooled } = await prepareSession(client, {
    requestedSchema: chosen.schema ?? schemaIn(String(env.DATABASE_URL)),
    pooler: env.DATABASE_POOLER,
    mustWrite: countHosts() > 1,
  });
  chosen.schema = schema;
  noteIsPooled(isPooled);
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
export const tryPostgres = (toWrite?: "to write"): Promise<void> => atSomeHost((config) => tryHost(config, toWrite));

async function tryHost(config: SessionConfig, toWrite?: "to write"): Promise<void> {
  const client = new Client({ ...config, stream: impatientSocket });
  // connect() reports it too; without a listener it would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await prepare(client);
    if (toWrite && (await isReadOnly(client)))
      throw Object.assign(new Error("The database is read-only."), { code: READ_ONLY });
  } finally {
    await client.end();
  }
}

async function isReadOnly(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ readOnly: string }>(
    `SELECT current_setting('transaction_read_only') AS "readOnly"`,
  );
  return rows[0]?.readOnly === "on";
}
