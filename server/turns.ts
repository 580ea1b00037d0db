import { performance } from "node:perf_hooks";
import { rateLimited, unavailable } from "@/lib/platform/errors";
import { type Guest, Queue } from "@/lib/platform/queue";

/** How often to check whether the page that has its turn leaves the event loop idle while it waits for the database. */
const CHECK_INTERVAL_MS = 10;
/** Idle time within that interval after which the next request starts beside it. */
const IDLE_MS = 5;
/** A request that takes longer waits for something other than the event loop: the database, or a client. */
const MAX_TURN_MS = 250;
/** Until its body has been decoded, which takes the event loop, a request keeps its turn for so long. */
const MAX_DECODING_MS = 5_000;
/** If the loop was idle at so many checks in a row, nothing is being decoded: that request waits for something else. */
const IDLE_CHECKS = 10;
const MAX_WAIT_MS = 15_000;
/**
 * Between two requests, so many turns of the event loop pass, or so much time: each takes one new connection, and
 * without any between, those that are open keep all new ones out.
 */
const LOOP_TURNS_BETWEEN = 4;
const MAX_BETWEEN_MS = 10;
const WAITING_OF_NETWORK = 512;
const WAITING_OF_ALL = 1_024;
/** Half-life of a network's recorded usage. */
const HALF_LIFE_MS = 10_000;
/**
 * How much use a second without a turn makes up for, in seconds, while a network waits. Without it, networks that are
 * new would pass one that was served before, however many come.
 */
const WAITING_COUNTS = 0.5;
/** Maximum number of remembered networks; each is remembered while its usage counts. */
const REMEMBERED = 1_000;

interface Use {
  ms: number;
  at: number;
}

/**
 * Gives the event loop to one request at a time, because everybody else waits for all that use it, and to another one
 * if it is idle. Networks that used it the least lately come first, and who waits moves forward: others pass nobody for
 * long, however many come. Nobody is refused for a network's past use: alone, it gets everything; beside others, its
 * share. In the order of arrival, 512 pages of one network would keep all others out for 25 seconds (each takes 50 ms),
 * who are refused after 15; with a turn for each network, 256 networks would keep everybody waiting for 13.
 */
export class Turns {
  private readonly queue = new Queue(
    {},
    {
      ofName: [{ count: WAITING_OF_NETWORK }],
      ofAll: { count: WAITING_OF_ALL },
      yields: "newest",
      refusal: (position) =>
        position === 0
          ? rateLimited(5, "Too many requests are running from this network. Try again in a moment.")
          : unavailable("Too many requests are running right now. Try again in a moment."),
    },
    (network, since) => this.rankOf(network, since),
  );
  /** Those of the running whose body is not decoded yet. */
  private readonly decoding = new Set<Guest>();
  private readonly used = new Map<string, Use>();
  /** The time that a request running from the beginning would have used: all of them share the loop. */
  private shareMs = 0;
  private active = activeMs();
  private isStarting = false;
  /** When a request last ended. */
  private changedAt = Number.NEGATIVE_INFINITY;
  private idleCheck: NodeJS.Timeout | undefined;
  /** The event loop's active time at the last check. */
  private checkedAt = 0;
  /** At how many checks in a row it was idle. */
  private idleChecks = 0;

  /**
   * Resolves when it is this request's turn, with a function that ends the turn (calling it twice is harmless; after a
   * while the turn ends by itself). `client`: aborted when nobody waits for the turn any more. `decoded`: resolves when
   * the request's body has been decoded; until then no other turn begins, unless the event loop has been idle for a
   * tenth of a second. Throws 429 `rate_limited` if the network has too many waiting, 503 `unavailable` if too many
   * wait in all or it took too long.
   */
  async acquire(network: string, client?: AbortSignal, decoded?: Promise<void>): Promise<() => void> {
    const turn: Guest = { names: [network] };
    const isNext = this.queue.wait(turn, client, MAX_WAIT_MS);
    this.idleCheck ??= setInterval(this.startWhereIdle, CHECK_INTERVAL_MS).unref();
    this.startNext();
    await isNext;
    const began = this.shareMs;
    if (decoded) this.decoding.add(turn);
    const end = () => {
      if (!this.queue.places.all.has(turn)) return;
      this.decoding.delete(turn);
      clearTimeout(timer);
      this.measure();
      this.queue.places.leave(turn);
      this.changedAt = performance.now();
      this.charge(network, this.shareMs - began);
      this.startNext();
    };
    let timer = setTimeout(end, decoded ? MAX_DECODING_MS : MAX_TURN_MS).unref();
    void decoded?.then(() => {
      if (!this.decoding.delete(turn)) return;
      clearTimeout(timer);
      timer = setTimeout(end, MAX_TURN_MS).unref();
    });
    return end;
  }

  /** In another turn of the event loop, so that everything else is handled in between. */
  private startNext(loopTurns = 1): void {
    if (this.isStarting || this.queue.line.all.size === 0 || this.queue.places.all.size > 0) return;
    this.isStarting = true;
    setImmediate(() => {
      this.isStarting = false;
      const isSoon = loopTurns < LOOP_TURNS_BETWEEN && performance.now() - this.changedAt < MAX_BETWEEN_MS;
      if (isSoon) this.startNext(loopTurns + 1);
      else if (this.queue.places.all.size === 0) this.start();
    });
  }

  private readonly startWhereIdle = () => {
    if (this.queue.line.all.size === 0) {
      clearInterval(this.idleCheck);
      this.idleCheck = undefined;
      return;
    }
    const now = activeMs();
    const isIdle = CHECK_INTERVAL_MS - (now - this.checkedAt) >= IDLE_MS;
    this.idleChecks = isIdle ? this.idleChecks + 1 : 0;
    if (this.idleChecks > (this.decoding.size === 0 ? 0 : IDLE_CHECKS)) this.start();
    this.checkedAt = now;
  };

  private start(): void {
    this.measure();
    this.queue.startNext();
  }

  /** The network with the least is next. `since`: when its first request began to wait. */
  private rankOf(network: string, since: number): number {
    // A network that has its turns all the time, and many requests, does not wait for long.
    const waits = performance.now() - Math.max(since, this.used.get(network)?.at ?? 0);
    return this.usedBy(network) - waits * WAITING_COUNTS;
  }

  private usedBy(network: string): number {
    const use = this.used.get(network);
    return use ? use.ms * 0.5 ** ((performance.now() - use.at) / HALF_LIFE_MS) : 0;
  }

  private charge(network: string, ms: number): void {
    // At least a minimum, so that equals take turns.
    this.used.set(network, { ms: this.usedBy(network) + Math.max(ms, 0.1), at: performance.now() });
    if (this.used.size <= REMEMBERED) return;
    for (const other of this.used.keys()) if (this.usedBy(other) < 1) this.used.delete(other);
    for (const other of this.used.keys()) if (this.used.size > REMEMBERED) this.used.delete(other);
  }

  private measure(): void {
    const now = activeMs();
    const running = this.queue.places.all.size;
    if (running > 0) this.shareMs += (now - this.active) / running;
    this.active = now;
  }
}

/** The event loop's active time since the process began. */
function activeMs(): number {
  return performance.eventLoopUtilization().active;
}
