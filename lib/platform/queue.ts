import { unavailable } from "./errors";

/** One who has a place, or waits for one. */
export interface Guest {
  /** For whom it is: users or networks, from narrow to wide. The last one takes turns with others. */
  names: readonly string[];
  bytes?: number;
  /** Called when it loses its place to another. */
  cut?: () => void;
}

/** How many there may be at the same time, and how many bytes they may have together. */
type Bound = { count?: number; bytes?: number };
type Measure = keyof Bound;
const MEASURES: readonly Measure[] = ["count", "bytes"];

interface Bounds<G extends Guest> {
  /** For one name, by its position among those of a guest. */
  ofName?: readonly Bound[];
  ofAll?: Bound;
  /**
   * Who loses a place to a newcomer: if all are taken, the oldest or newest of the name that has the most, as long as
   * the newcomer has less; or whom the function chooses among those in the way. By default nobody does.
   */
  yields?: "oldest" | "newest" | ((guests: ReadonlySet<G>, position: number) => G | undefined);
  /** `position`: of the name that has its share, or after the last one. By default 503 `unavailable`. */
  refusal?: (position?: number) => Error;
}

/** Places: so many for each name, and so many in all. */
export class Room<G extends Guest = Guest> {
  readonly all = new Set<G>();
  /** The guests of each name, in the order in which they came. */
  readonly ofName = new Map<string, Set<G>>();

  readonly #limits: { position: number; measure: Measure; most: number }[];

  constructor(private readonly bounds: Bounds<G>) {
    const all = [...(bounds.ofName ?? []), bounds.ofAll ?? {}];
    this.#limits = all
      .flatMap((bound, position) =>
        MEASURES.map((measure) => ({ position, measure, most: bound[measure] ?? Number.POSITIVE_INFINITY })),
      )
      .filter(({ most }) => most < Number.POSITIVE_INFINITY);
  }

  /** Gives a guest a place, until it leaves or another gets it. Throws the refusal if there is none. */
  enter(guest: G): void {
    for (let full = this.full(guest); full; full = this.full(guest)) {
      const loser = this.#loser(guest, full);
      if (!loser) throw this.refusal(full.position);
      this.leave(loser);
      loser.cut?.();
    }
    this.all.add(guest);
    for (const name of guest.names) this.ofName.set(name, (this.ofName.get(name) ?? new Set()).add(guest));
  }

  /** Frees a guest's place. Calling it twice is harmless. */
  leave(guest: G): void {
    this.all.delete(guest);
    for (const name of guest.names) {
      const guests = this.ofName.get(name);
      if (guests?.delete(guest) && guests.size === 0) this.ofName.delete(name);
    }
  }

  refusal(position?: number): Error {
    return this.bounds.refusal?.(position) ?? unavailable();
  }

  /** Who is in a guest's way, and has too much of what; undefined if nobody is. */
  full(guest: G): { guests: ReadonlySet<G>; measure: Measure; position: number } | undefined {
    for (const { position, measure, most } of this.#limits) {
      const guests = position === (this.bounds.ofName?.length ?? 0) ? this.all : this.#of(guest.names[position]);
      if (sum(guests, measure) + weight(guest, measure) > most) return { guests, measure, position };
    }
  }

  #loser(guest: G, { guests, measure, position }: NonNullable<ReturnType<Room<G>["full"]>>): G | undefined {
    const { yields } = this.bounds;
    if (typeof yields === "function") return yields(guests, position);
    const own = this.#of(guest.names.at(-1));
    const most = [...this.ofName.values()].reduce((a, b) => (sum(b, measure) > sum(a, measure) ? b : a), own);
    const isFair = guests === this.all && sum(most, measure) > sum(own, measure) + weight(guest, measure);
    return yields && isFair ? [...most].at(yields === "oldest" ? 0 : -1) : undefined;
  }

  #of(name: string | undefined): ReadonlySet<G> {
    return this.ofName.get(name ?? "") ?? new Set();
  }
}

const weight = ({ bytes = 0 }: Guest, measure: Measure) => (measure === "count" ? 1 : bytes);

function sum(guests: ReadonlySet<Guest>, measure: Measure): number {
  if (measure === "count") return guests.size;
  let sum = 0;
  for (const { bytes = 0 } of guests) sum += bytes;
  return sum;
}

interface Waiter extends Guest {
  /** By `performance.now()`. */
  since: number;
  start: () => void;
}

/** The name with the least is next: by default, that with the fewest places. `since`: when its first began to wait. */
type Rank = (name: string, since: number) => number;

/**
 * A line for places. Names take turns, however many each has waiting: one with two hundred delays another by one. Who
 * is beyond the bounds is refused immediately, and who has gone away is dropped.
 */
export class Queue {
  readonly places: Room;
  readonly line: Room<Waiter>;
  readonly #rank: Rank;

  constructor(places: Bounds<Guest>, line: Bounds<Waiter> = {}, rank?: Rank) {
    this.places = new Room(places);
    this.line = new Room(line);
    this.#rank = rank ?? ((name) => this.places.ofName.get(name)?.size ?? 0);
  }

  /** Returns the result of `work`, which begins when it has a place. Throws as `wait`. */
  async run<T>(names: readonly [string, ...string[]], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const guest = { names };
    if (signal?.aborted || this.places.full(guest)) await this.wait(guest, signal);
    else this.places.enter(guest);
    try {
      return await work();
    } finally {
      this.places.leave(guest);
      this.startNext(names.at(-1));
    }
  }

  /**
   * Resolves when `startNext` has given this guest a place. Throws the refusal of the line if it is full, `signal` is
   * aborted, or `ms` are over.
   */
  wait(guest: Guest, signal?: AbortSignal, ms?: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = () => {
        this.line.leave(waiter);
        clearTimeout(timer);
        signal?.removeEventListener("abort", cut);
      };
      const start = () => {
        end();
        this.places.enter(guest);
        resolve();
      };
      const cut = () => {
        end();
        reject(this.line.refusal());
      };
      const waiter = { names: guest.names, since: performance.now(), start, cut };
      if (signal?.aborted) throw this.line.refusal();
      this.line.enter(waiter);
      signal?.addEventListener("abort", cut);
      const timer = ms === undefined ? undefined : setTimeout(cut, ms).unref();
    });
  }

  /** Gives the next one a place who may have it. `last`: the name that has just left one: another goes first. */
  startNext(last?: string): void {
    let [next, least]: [Waiter | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [name, [first]] of this.line.ofName) {
      if (first?.names.at(-1) !== name) continue;
      const rank = this.#rank(name, first.since) + (name === last ? 1 : 0);
      if (rank < least && !this.places.full(first)) [next, least] = [first, rank];
    }
    const name = next?.names.at(-1) ?? "";
    const others = this.line.ofName.get(name);
    // To the end of the round.
    if (others && this.line.ofName.delete(name)) this.line.ofName.set(name, others);
    next?.start();
  }
}
