import { unavailable } from "./errors";

/** One who has a place, or waits for one. */
export interface Guest {
  /** For whom it is: users or networks, from narrow to wide. The last one takes turns with others. */
  names: readonly string[];
  bytes?: number;
  /** The names stand for everybody, so the bounds of a name do not apply. */
  isEverybody?: boolean;
  /** Called when it loses its place to another. */
  cut?: () => void;
}

type Measure = "count" | "bytes";
/** How many there may be at the same time, and how many bytes they may have together. */
type Bound = Partial<Record<Measure, number>>;

interface Bounds<G extends Guest> {
  /** For one name, by its position among those of a guest. */
  ofName?: readonly Bound[];
  ofAll?: Bound;
  /**
   * Who loses a place to a newcomer. If all are taken, the oldest or newest of the name that has the most, as long as
   * the newcomer has less; or whom the function chooses among those in the way. By default nobody does.
   */
  yields?: "oldest" | "newest" | ((guests: ReadonlySet<G>, position?: number) => G | undefined);
  /** `position`: of the name that has its share; undefined if all places are taken. By default 503 `unavailable`. */
  refusal?: (position?: number) => Error;
}

/** Who is in the way of a newcomer, and what they have too much of. */
interface Full<G> {
  guests: ReadonlySet<G>;
  measure: Measure;
  position?: number;
}

const NOBODY: ReadonlySet<never> = new Set();

/** Places: so many for each name, and so many in all. */
export class Room<G extends Guest = Guest> {
  readonly #all = new Set<G>();
  /** The guests of each name, in the order in which they came. */
  readonly #ofName = new Map<string, Set<G>>();

  constructor(private readonly bounds: Bounds<G>) {}

  get size(): number {
    return this.#all.size;
  }

  countOf(name: string): number {
    return this.#ofName.get(name)?.size ?? 0;
  }

  isFull(guest: G): boolean {
    return this.#full(guest) !== undefined;
  }

  refusal(position?: number): Error {
    return this.bounds.refusal?.(position) ?? unavailable();
  }

  /** Gives a guest a place, until it leaves or another gets it. Throws the refusal if there is none. */
  enter(guest: G): void {
    for (let full = this.#full(guest); full; full = this.#full(guest)) {
      const loser = this.#loser(guest, full);
      if (!loser) throw this.refusal(full.position);
      this.leave(loser);
      loser.cut?.();
    }
    this.#all.add(guest);
    for (const name of guest.names) this.#ofName.set(name, (this.#ofName.get(name) ?? new Set()).add(guest));
  }

  /** Frees a guest's place. Calling it twice is harmless. */
  leave(guest: G): void {
    this.#all.delete(guest);
    for (const name of guest.names) {
      const guests = this.#ofName.get(name);
      if (guests?.delete(guest) && guests.size === 0) this.#ofName.delete(name);
    }
  }

  /** The first guest of each name that takes turns. */
  *lines(): Generator<[name: string, first: G]> {
    for (const [name, [first]] of this.#ofName) if (first?.names.at(-1) === name) yield [name, first];
  }

  /** Makes a name the last of `lines`. */
  moveBack(name: string): void {
    const guests = this.#ofName.get(name);
    if (guests && this.#ofName.delete(name)) this.#ofName.set(name, guests);
  }

  #full(guest: G): Full<G> | undefined {
    const { ofName = [], ofAll } = this.bounds;
    for (const [position, bound] of guest.isEverybody ? [] : ofName.entries()) {
      const full = excess(this.#ofName.get(guest.names[position] ?? "") ?? NOBODY, guest, bound);
      if (full) return { ...full, position };
    }
    return excess(this.#all, guest, ofAll);
  }

  #loser(guest: G, { guests, measure, position }: Full<G>): G | undefined {
    const { yields } = this.bounds;
    if (typeof yields === "function") return yields(guests, position);
    if (!yields || position !== undefined) return undefined;
    const own: ReadonlySet<G> = this.#ofName.get(guest.names.at(-1) ?? "") ?? NOBODY;
    const most = [...this.#ofName.values()].reduce((a, b) => (sum(b, measure) > sum(a, measure) ? b : a), own);
    if (sum(most, measure) <= sum(own, measure) + weight(guest, measure)) return undefined;
    return [...most].at(yields === "oldest" ? 0 : -1);
  }
}

function excess<G extends Guest>(guests: ReadonlySet<G>, guest: G, bound: Bound = {}): Full<G> | undefined {
  const measure = (["count", "bytes"] as const).find((each) => {
    const most = bound[each];
    return most !== undefined && sum(guests, each) + weight(guest, each) > most;
  });
  return measure && { guests, measure };
}

const weight = ({ bytes = 0 }: Guest, measure: Measure) => (measure === "count" ? 1 : bytes);
const sum = (guests: ReadonlySet<Guest>, measure: Measure) =>
  measure === "count" ? guests.size : [...guests].reduce((total, { bytes = 0 }) => total + bytes, 0);

interface Waiter extends Guest {
  /** By `performance.now()`. */
  since: number;
  start: () => void;
  cut: () => void;
}

interface Rules {
  /** Who may have a place. By default everybody may. */
  places?: Pick<Bounds<Guest>, "ofName" | "ofAll">;
  /** Who may wait for one. */
  line?: Bounds<Waiter>;
  /** Of the names that wait, the one with the least is next. By default: how many places it has. */
  rank?: (name: string, since: number) => number;
}

/**
 * A line for places. Names take turns, however many each has waiting: one with two hundred delays another by one.
 * Who is beyond the bounds is refused immediately, and who has gone away is dropped.
 */
export class Queue {
  readonly places: Room;
  readonly line: Room<Waiter>;
  readonly #rank: NonNullable<Rules["rank"]>;

  constructor({ places = {}, line = {}, rank }: Rules) {
    this.places = new Room(places);
    this.line = new Room(line);
    this.#rank = rank ?? ((name) => this.places.countOf(name));
  }

  /** Returns the result of `work`, which begins when it has a place. Throws as `wait`. */
  async run<T>(names: readonly [string, ...string[]], work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const guest = { names };
    if (signal?.aborted || this.places.isFull(guest)) await this.wait(guest, { signal });
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
  wait(guest: Guest, { signal, ms }: { signal?: AbortSignal; ms?: number }): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) throw this.line.refusal();
      let timer: NodeJS.Timeout | undefined;
      const end = (settle: () => void) => {
        this.line.leave(waiter);
        clearTimeout(timer);
        signal?.removeEventListener("abort", waiter.cut);
        settle();
      };
      const waiter: Waiter = {
        names: guest.names,
        since: performance.now(),
        start: () =>
          end(() => {
            this.places.enter(guest);
            resolve();
          }),
        cut: () => end(() => reject(this.line.refusal())),
      };
      this.line.enter(waiter);
      signal?.addEventListener("abort", waiter.cut);
      if (ms !== undefined) timer = setTimeout(waiter.cut, ms).unref();
    });
  }

  /** Gives the next one a place who may have it. `last`: the name that has just left one, so that another goes first. */
  startNext(last?: string): void {
    let [next, least]: [Waiter | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
    for (const [name, waiter] of this.line.lines()) {
      if (this.places.isFull(waiter)) continue;
      const rank = this.#rank(name, waiter.since) + (name === last ? 1 : 0);
      if (rank < least) [next, least] = [waiter, rank];
    }
    this.line.moveBack(next?.names.at(-1) ?? "");
    next?.start();
  }
}
