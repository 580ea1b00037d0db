import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type PoolClient, type PoolConfig } from "pg";
import { env } from "../env";
import { log } from "../log";
import { errorCodes, isUnavailable } from "./errors";
import { isBehindPooler } from "./pooler";
import { countHosts, goToNextHost, hostInUse, postgresConfig } from "./postgres-session";

/** PostgreSQL's code for a server, database or role that takes no more connections. */
const FULL = "53300";

/** How often it is checked whether the server takes another connection. */
const CHECK_MS = 2_000;
/** After which the pool may open one more than it gave up. */
const REGROW_MS = 10_000;

/** How many connections this role can have, and how many of these are left. */
export const CONNECTION_SLOTS = `SELECT least(
    nullif(r."rolconnlimit", -1), nullif(d."datconnlimit", -1), m."all")::int AS "all",
  least(
    nullif(r."rolconnlimit", -1) - (SELECT count(*) FROM pg_stat_activity a WHERE a."usesysid" = r."oid"),
    nullif(d."datconnlimit", -1) - (SELECT count(*) FROM pg_stat_activity a WHERE a."datid" = d."oid"),
    m."all" - (SELECT count(*) FROM pg_stat_activity a WHERE a."datid" IS NOT NULL))::int AS "left"
  FROM pg_roles r, pg_database d, (SELECT current_setting('max_connections')::int
    - current_setting('superuser_reserved_connections')::int
    - coalesce(current_setting('reserved_connections', true)::int, 0) AS "all") m
  WHERE r."rolname" = current_user AND d."datname" = current_database()`;

export interface Slots {
  all: number;
  left: number;
}

type Callback = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/**
 * A pool that shares what the server has with others: where that takes no more connections, whoever needs one waits for
 * one that exists, here or elsewhere, and every process gives up half of its own, as long as it has two.
 */
export class PatientPool extends Pool {
  readonly #patienceMs: number;
  readonly #most: number;
  readonly #checks = setInterval(() => void this.#check(), CHECK_MS).unref();
  #changedAt = 0;
  #isWarned = false;

  constructor(config: PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(config);
    this.#patienceMs = config.connectionTimeoutMillis;
    this.#most = config.max;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    clearInterval(this.#checks);
    if (!callback) return super.end();
    super.end(callback);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<PoolClient> | undefined {
    const connected = this.#connectPatiently();
    if (!callback) return connected;
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
  }

  async #connectPatiently(): Promise<PoolClient> {
    const until = performance.now() + this.#patienceMs;
    for (let left = countHosts(); ; ) {
      const host = hostInUse();
      try {
        return this.#returning(await super.connect());
      } catch (error) {
        if (performance.now() > until) throw error;
        if (errorCodes(error).includes(FULL)) {
          this.#giveUpHalf();
          if (this.totalCount === 0) await sleep(50 + Math.random() * 100);
        } else {
          if (!isUnavailable(error)) throw error;
          goToNextHost(host);
          // Each new client of the pool reads its address there.
          Object.assign(this.options, postgresConfig(String(env.DATABASE_URL)));
          if (--left === 0) throw error;
        }
      }
    }
  }

  /** A connection that is closed after its use, if the pool has more than it may. */
  #returning(client: PoolClient): PoolClient {
    if (this.totalCount > this.options.max) {
      const { release } = client;
      client.release = (failed) => release.call(client, failed || this.totalCount > this.options.max);
    }
    return client;
  }

  #giveUpHalf(): void {
    const now = performance.now();
    // What several find at the same time is one fact.
    if (now - this.#changedAt < CHECK_MS / 2) return;
    this.#changedAt = now;
    this.options.max = Math.max(1, Math.ceil(this.totalCount / 2));
    if (this.#isWarned) return;
    this.#isWarned = true;
    log.warn(
      "The database takes no more connections: requests wait for those that exist. Lower DATABASE_CONNECTIONS, or " +
        "let the server, the database or the role take more.",
    );
  }

  async #check(): Promise<void> {
    if (this.options.max < this.#most && performance.now() - this.#changedAt > REGROW_MS) {
      this.#changedAt = performance.now();
      this.options.max++;
    }
    if (this.totalCount < 2 || isBehindPooler()) return;
    const { rows } = await this.query<Slots>(CONNECTION_SLOTS).catch(() => ({ rows: [] }));
    if (rows[0] && rows[0].left <= 0) this.#giveUpHalf();
  }
}
