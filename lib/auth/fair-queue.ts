interface QueueLimits {
  /** How many run concurrently. */
  atOnce: number;
  /** How many may wait in total. */
  waiting: number;
  /** How many may wait per name: one limit for each position in the list of names that `run` gets. */
  waitingFor: readonly number[];
}

/**
 * Runs a few jobs at a time. The line with the fewest running jobs is next; among those, each takes its turn. So a
 * client with two hundred waiting jobs delays another by one. Jobs beyond the limits are refused immediately; abandoned
 * jobs are dropped.
 */
export class FairQueue {
  /** The waiting jobs by line; the line whose turn is next comes first. */
  readonly #lines = new Map<string, Set<() => void>>();
  readonly #running = new Map<string, number>();
  readonly #waitingFor = new Map<string, number>();
  #waiting = 0;
  #busy = 0;

  constructor(readonly limits: QueueLimits) {}

  /**
   * Returns the result of `work` after its turn. `names` says for whom it waits, from narrow to wide; the widest takes
   * turns with others. Throws the error from `refusal` if too many wait or `signal` is aborted.
   */
  async run<T>(
    names: readonly [string, ...string[]],
    work: () => Promise<T>,
    refusal: () => Error,
    signal?: AbortSignal,
  ): Promise<T> {
    const line = names.at(-1) ?? names[0];
    if (signal?.aborted) throw refusal();
    if (this.#busy < this.limits.atOnce) this.#start(line);
    else await this.#turn(line, names, refusal, signal);
    try {
      return await work();
    } finally {
      // A job that has just ended still counts, so that another line goes first.
      this.#next();
      this.#busy--;
      count(this.#running, line, -1);
    }
  }

  #start(line: string): void {
    this.#busy++;
    count(this.#running, line, 1);
  }

  #turn(line: string, names: readonly string[], refusal: () => Error, signal?: AbortSignal): Promise<void> {
    const isFull = names.some(
      (name, place) => (this.#waitingFor.get(name) ?? 0) >= (this.limits.waitingFor[place] ?? 0),
    );
    if (isFull || this.#waiting >= this.limits.waiting) throw refusal();
    return new Promise((resolve, reject) => {
      const waiting = this.#lines.get(line) ?? new Set();
      const leave = () => {
        waiting.delete(start);
        if (waiting.size === 0) this.#lines.delete(line);
        this.#waiting--;
        for (const name of names) count(this.#waitingFor, name, -1);
        signal?.removeEventListener("abort", drop);
      };
      const start = () => {
        leave();
        this.#start(line);
        resolve();
      };
      const drop = () => {
        leave();
        reject(refusal());
      };
      this.#lines.set(line, waiting.add(start));
      this.#waiting++;
      for (const name of names) count(this.#waitingFor, name, 1);
      signal?.addEventListener("abort", drop);
    });
  }

  #next(): void {
    const lines = [...this.#lines.keys()];
    const runningOf = (line: string) => this.#running.get(line) ?? 0;
    const least = Math.min(...lines.map(runningOf));
    const line = lines.find((one) => runningOf(one) === least);
    const waiting = line === undefined ? undefined : this.#lines.get(line);
    if (line === undefined || waiting === undefined) return;
    // To the end of the round.
    this.#lines.delete(line);
    this.#lines.set(line, waiting);
    const [start] = waiting;
    start?.();
  }
}

function count(counts: Map<string, number>, name: string, more: number): void {
  const sum = (counts.get(name) ?? 0) + more;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}
