import { AsyncResource } from "node:async_hooks";
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  type RateLimiterRes,
} from "rate-limiter-flexible";
import { postgresPool } from "../db/client";
import { statementName } from "../db/pooler";
import { claimsIn, countedAs, widerNetworks } from "../network/network";
import { perProcess } from "../process";
import { CLOCKS_APART_MS } from "../time";
import { noteRefusal } from "./refusals";

export interface LimitVerdict {
  allowed: boolean;
  /** Seconds until the window ends. */
  retryAfter: number;
  /** How many were counted in this window. */
  consumed: number;
  /** This is the window's first refusal: the one to record in the audit trail. */
  isFirstRefusal: boolean;
  /** When the window began, in Unix ms; null if none is open. */
  openedAt: number | null;
}

/** Counts per key in windows. */
export interface Limiter {
  /** Counts one, or `count` at once, and returns whether they were still within the limit. */
  consume(key: string, count?: number): Promise<LimitVerdict>;
  /** Returns whether one more would be within the limit, without counting. */
  peek(key: string): Promise<LimitVerdict>;
  /** Takes back one that was counted. */
  refund(key: string): Promise<void>;
  clear(key: string): Promise<void>;
}

/**
 * A window's timer keeps the whole context of the request in which it began until the window ends, so windows begin
 * outside requests.
 */
const outside = new AsyncResource("limits");

const counters = perProcess("limiters", () => new Map<string, RateLimiterAbstract>());

/**
 * A limit of `points` per `seconds` and key. Counted in the database on PostgreSQL, so that several processes share it;
 * on SQLite in memory, because that means one process. While PostgreSQL is unavailable, each process counts in its own
 * memory.
 */
export const limiter = (name: string, points: number, seconds: number): Limiter =>
  limiterOf({ name, points, seconds, isShared: true });

/**
 * As `limiter`, but each process counts what it is asked itself: for what costs no more than the process's time, so that
 * counting it costs the database nothing.
 */
export const limiterOfProcess: typeof limiter = (name, points, seconds) =>
  limiterOf({ name, points, seconds, isShared: false });

interface Limit {
  name: string;
  points: number;
  seconds: number;
  isShared: boolean;
}

function limiterOf(limit: Limit): Limiter {
  const { name, points, seconds } = limit;
  const counter = () => {
    const existing = counters.get(name) ?? create(limit);
    counters.set(name, existing);
    return existing;
  };
  const verdict = (result: RateLimiterRes | null, allowed: boolean, count = 1): LimitVerdict => ({
    allowed,
    retryAfter: Math.min(seconds, Math.max(1, Math.ceil((result?.msBeforeNext ?? 0) / 1000))),
    consumed: result?.consumedPoints ?? 0,
    isFirstRefusal: !allowed && isCrossed(points, result?.consumedPoints ?? 0, count),
    openedAt: result && result.msBeforeNext > 0 ? Date.now() + result.msBeforeNext - seconds * 1000 : null,
  });
  /**
   * The window began before the clock was set back: if it stayed open, it would last as long as the clock was wrong.
   */
  const isOfFormerClock = (result: RateLimiterRes | null) =>
    (result?.msBeforeNext ?? 0) > seconds * 1000 + CLOCKS_APART_MS;
  const clear = async (key: string) => void (await counter().delete(key));
  return {
    async consume(key, count = 1) {
      const { result, allowed } = await consume(counter(), key, count);
      if (isOfFormerClock(result)) {
        await clear(key);
        return this.consume(key, count);
      }
      if (!allowed) noteRefusal(name);
      return verdict(result, allowed, count);
    },
    async peek(key) {
      const current = await counter().get(key);
      const result = isOfFormerClock(current) ? null : current;
      return verdict(result, !result || result.consumedPoints < points);
    },
    async refund(key) {
      await outside.runInAsyncScope(() => counter().reward(key));
    },
    clear,
  };
}

/** Whether the last `count` of all that were consumed went beyond the limit. */
const isCrossed = (points: number, consumed: number, count: number) => consumed > points && consumed - count <= points;

async function consume(
  counter: RateLimiterAbstract,
  key: string,
  count: number,
): Promise<{ result: RateLimiterRes; allowed: boolean }> {
  try {
    return { result: await outside.runInAsyncScope(() => counter.consume(key, count)), allowed: true };
  } catch (refused) {
    // A refusal is not an Error. Its class says nothing: the other copy of this code may have created the counter.
    if (refused instanceof Error) throw refused;
    return { result: refused as RateLimiterRes, allowed: false };
  }
}

function create({ name: keyPrefix, points, seconds: duration, isShared }: Limit): RateLimiterAbstract {
  const inMemory = new RateLimiterMemory({ keyPrefix, points, duration });
  if (!isShared || !postgresPool()) return inMemory;
  return new RateLimiterPostgres({
    keyPrefix,
    points,
    duration,
    storeClient: statements,
    storeType: "pool",
    tableName: "RateLimit",
    tableCreated: true,
    // Once refused, a key is refused from memory: many concurrent requests must not queue for one row and hold all
    // connections.
    inMemoryBlockOnConsumed: points + 1,
    insuranceLimiter: inMemory,
  });
}

/** The library prepares its statements by itself, even if that is not allowed. */
const statements = {
  query: ({ text, values }: { text: string; values: unknown[] }) =>
    postgresPool()?.query({ name: statementName(text), text, values }),
};

/**
 * The factors for a /56 and a /48 relative to a /64: the owner of a whole one gains little by rotating through its
 * /64s.
 */
export const WIDER_POINTS = [4, 16];

/**
 * Behind a proxy that nobody configured, one client may use up this part of the limit that all of them share: nobody
 * else there is locked out by one, and nobody gets more than the limit by claiming to be many.
 */
const SHARES = 4;

/** Counts per network and per wider network around it. Keys are ids of networks; `about`, what is counted of each. */
export interface NetworkLimiter {
  consume(network: string, about?: string): Promise<LimitVerdict>;
  peek(network: string, about?: string): Promise<LimitVerdict>;
  refund(network: string, about?: string): Promise<void>;
  clear(network: string, about?: string): Promise<void>;
}

interface NetworkLimits {
  seconds: number;
  /** Counts each of the networks. */
  counter?: typeof limiter;
  /** False: wider networks are not counted. */
  isWide?: boolean;
}

/**
 * A limit of `points` per `seconds` for each IPv4 address and each IPv6 /64, 4 times that for a /56 and 16 times for a
 * /48 (contract, section 4: limits). A refusal by one of them is final, and is not counted for the networks around it:
 * one /64 does not use up its neighbours' share, nor one client of a shared network the others'.
 */
export function networkLimiter(
  name: string,
  points: number,
  { seconds, counter = limiter, isWide = true }: NetworkLimits,
): NetworkLimiter {
  const own = counter(name, points, seconds);
  const wider = isWide
    ? WIDER_POINTS.map((times, index) => counter(`${name} ${["/56", "/48"][index]}`, times * points, seconds))
    : [];
  const share = counter(`${name} of a client`, Math.ceil(points / SHARES), seconds);
  const countersOf = (id: string, about: string) => {
    const counted = countedAs(id);
    const keyOf = (key: string) => (about === "" ? key : `${about} ${key}`);
    const key = keyOf(counted);
    const around = wider.length === 0 ? [] : widerNetworks(counted);
    return {
      key,
      claims: claimsIn(id).map((claim) => ({ limit: share, key: `${key} for ${claim}` })),
      networks: [
        { limit: own, key },
        ...around.map((network, index) => ({ limit: wider[index] as Limiter, key: keyOf(network) })),
      ],
    };
  };
  const each = <T>(id: string, about: string, act: (limit: Limiter, key: string) => Promise<T>): Promise<T[]> => {
    const { claims, networks } = countersOf(id, about);
    return Promise.all([...claims, ...networks].map(({ limit, key }) => act(limit, key)));
  };
  return {
    async consume(network, about = "") {
      const { key, claims, networks } = countersOf(network, about);
      // Endless claims leave no counter for each once nothing is left for any.
      if (claims.length > 0 && !(await own.peek(key)).allowed) return own.consume(key);
      const verdicts: LimitVerdict[] = [];
      for (const { limit, key } of [...claims, ...networks]) {
        const verdict = await limit.consume(key);
        verdicts.push(verdict);
        if (!verdict.allowed) break;
      }
      return strictest(verdicts);
    },
    peek: async (network, about = "") => strictest(await each(network, about, (limit, key) => limit.peek(key))),
    refund: async (network, about = "") => void (await each(network, about, (limit, key) => limit.refund(key))),
    clear: async (network, about = "") => void (await each(network, about, (limit, key) => limit.clear(key))),
  };
}

/** The longest refusal or, if nothing refuses, the narrowest network's verdict. */
function strictest(verdicts: LimitVerdict[]): LimitVerdict {
  const [own] = verdicts as [LimitVerdict, ...LimitVerdict[]];
  const refusals = verdicts.filter(({ allowed }) => !allowed);
  return refusals.reduce(
    (longest, verdict) => (verdict.retryAfter > longest.retryAfter || longest.allowed ? verdict : longest),
    own,
  );
}
