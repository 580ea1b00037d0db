import { setTimeout as sleep } from "node:timers/promises";
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from "pg";
import { env } from "../env";
import { log } from "../log";
import { errorCodes, isUnavailable } from "./errors";
import { isBehindPooler } from "./pooler";
import { countHosts, goToNextHost, hostInUse, postgresConfig } from "./postgres-session";

/** PostgreSQL's code for a server, database or role that takes no more connections. */
const FULL = "53300";
/** What the pool says when all its connections were in use for too long. */
const ALL_IN_USE = "timeout exceeded when trying to connect";

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
type Connected = (error: Error | null, client: Client) => void;

/** Of several hosts, a connection to the one in use. If that is away, the pool's next connection is to another. */
class HostClient extends Client {
  readonly #host = hostInUse();

  constructor(config?: ClientConfig) {
    super({ ...config, ...(countHosts() > 1 && postgresConfig(String(env.DATABASE_URL))) });
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<Client> | undefined {
    if (!callback) return super.connect();
    super.connect((error: Error | null) => {
      if (shouldLeave(error)) goToNextHost(this.#host);
      callback(error, this);
    });
  }
}

interface Attempts {
  /** As `performance.now()`. */
  until: number;
  /** Hosts that were not tried. */
  left?: number;
}

const isFull = (error: unknown) => errorCodes(error).includes(FULL);
/** Whether another host may do what this one did not. */
const shouldLeave = (error: unknown) =>
  isUnavailable(error) && !isFull(error) && !(error instanceof Error && error.message === ALL_IN_USE);

/**
 * A pool that shares what the server has with others: where that takes no more connections, whoever needs one waits for
 * one that exists, here or elsewhere, and every process gives up half of its own, as long as it has two.
 */
export class PatientPool extends Pool {
  readonly #patienceMs: number;
  readonly #most: number;
  readonly #checks = setInterval(() => void this.#check(), CHECK_MS).unref();
  /** How many it may have; `options.max` is none while it pauses. */
  #max: number;
  #pause: Promise<void> | undefined;
  #changedAt = 0;
  #isWarned = false;

  constructor(config: PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super({ ...config, Client: HostClient });
    this.#patienceMs = config.connectionTimeoutMillis;
    this.#most = config.max;
    this.#max = config.max;
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
    const until = performance.now() + this.#patienceMs;
    // Each request passes here: with promises in between, one that changes something takes a twentieth longer.
    if (callback) return void this.#connect(callback, { until });
    return new Promise((resolve, reject) => {
      this.#connect((error, client) => (client ? resolve(client) : reject(error)), { until });
    });
  }

  #connect(callback: Callback, { until, left }: Attempts): void {
    const host = hostInUse();
    super.connect((error, client) => {
      if (client) return callback(undefined, this.#returning(client), client.release);
      this.#afterRefusal(error, { host, until, left }).then(
        (attempts) => this.#connect(callback, attempts),
        (failed) => callback(failed, undefined, () => {}),
      );
    });
  }

  /** Resolves when another attempt makes sense; throws if none does. */
  async #afterRefusal(error: unknown, { host, until, left }: Attempts & { host: number }): Promise<Attempts> {
    if (isFull(error)) {
      if (performance.now() > until) throw error;
      this.#pause ??= this.#openNone();
      await this.#pause;
      return { until, left };
    }
    if (!shouldLeave(error)) throw error;
    goToNextHost(host);
    const others = (left ?? countHosts()) - 1;
    if (others === 0 || performance.now() > until) throw error;
    return { until, left: others };
  }

  /** A connection that is closed after its use, if the pool has more than it may. */
  #returning(client: PoolClient): PoolClient {
    if (this.totalCount > this.#max) {
      const { release } = client;
      client.release = (failed) => release.call(client, failed || this.totalCount > this.#max);
    }
    return client;
  }

  /** One refusal says as much as those of all who wait: none of them tries again before this ends. */
  async #openNone(): Promise<void> {
    this.options.max = 0;
    await sleep(50 + Math.random() * 100);
    // Only now: attempts that had begun counted as connections.
    this.#giveUpHalf();
    this.#pause = undefined;
  }

  #giveUpHalf(): void {
    this.#allow(Math.max(1, Math.ceil(this.totalCount / 2)));
    if (this.#isWarned) return;
    this.#isWarned = true;
    log.warn(
      "The database takes no more connections: requests wait for those that exist. Lower DATABASE_CONNECTIONS, or " +
        "let the server, the database or the role take more.",
    );
  }

  #allow(max: number): void {
    this.#changedAt = performance.now();
    this.#max = max;
    this.options.max = max;
  }

  async #check(): Promise<void> {
    if (this.#pause) return;
    if (this.#max < this.#most && performance.now() - this.#changedAt > REGROW_MS) this.#allow(this.#max + 1);
    if (this.totalCount < 2 || isBehindPooler()) return;
    const { rows } = await this.query<Slots>(CONNECTION_SLOTS).catch(() => ({ rows: [] }));
    if (rows[0] && rows[0].left <= 0) this.#giveUpHalf();
  }
}
