import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { postgresPool } from "./db/client";
import { countRefusal } from "./metrics";
import { openRedis } from "./redis";

export interface Verdict {
  allowed: boolean;
  /** Seconds until the window ends. */
  retryAfter: number;
  /** How often it was taken in this window. */
  taken: number;
}

/** Counts per key in windows. */
export interface Limiter {
  /** Counts one, and says whether that was still within the limit. */
  take(key: string): Promise<Verdict>;
  /** Says whether one more would be within the limit, without counting. */
  peek(key: string): Promise<Verdict>;
  /** Takes back one that was counted. */
  giveBack(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

/** One set of counters per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyLimiters?: Map<string, Promise<RateLimiterAbstract>> };

/**
 * A limit of `points` per `seconds` and key. Counted in Redis where there is one; else in the database on PostgreSQL, so that
 * several processes share it; else in memory, because SQLite is one process. While Redis or PostgreSQL is away, each process
 * counts in its own memory.
 */
export function limiter(name: string, points: number, seconds: number): Limiter {
  const counter = () => {
    perProcess.latchkeyLimiters ??= new Map();
    const existing = perProcess.latchkeyLimiters.get(name) ?? create(name, points, seconds);
    perProcess.latchkeyLimiters.set(name, existing);
    return existing;
  };
  const verdict = (result: RateLimiterRes | null, allowed: boolean): Verdict => ({
    allowed,
    retryAfter: Math.max(1, Math.ceil((result?.msBeforeNext ?? 0) / 1000)),
    taken: result?.consumedPoints ?? 0,
  });
  return {
    async take(key) {
      try {
        return verdict(await (await counter()).consume(key), true);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        countRefusal(name);
        return verdict(refused, false);
      }
    },
    async peek(key) {
      const result = await (await counter()).get(key);
      return verdict(result, !result || result.consumedPoints < points);
    },
    async giveBack(key) {
      await (await counter()).reward(key);
    },
    async clear(key) {
      await (await counter()).delete(key);
    },
  };
}

async function create(name: string, points: number, duration: number): Promise<RateLimiterAbstract> {
  const inMemory = new RateLimiterMemory({ keyPrefix: name, points, duration });
  const shared = {
    points,
    duration,
    // Refused once, a key is refused from memory: many at once must not queue for one row, and all connections with them.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: inMemory,
  };
  const redis = await openRedis();
  if (redis) return new RateLimiterRedis({ ...shared, storeClient: redis, useRedisPackage: true, rejectIfRedisNotReady: true, keyPrefix: `latchkey ${name}` });
  const pool = postgresPool();
  if (pool) return new RateLimiterPostgres({ ...shared, storeClient: pool, storeType: "pool", tableName: "RateLimit", tableCreated: true, keyPrefix: name });
  return inMemory;
}
