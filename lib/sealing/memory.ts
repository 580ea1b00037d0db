import { lostConnections } from "@/lib/db/client";
import { perProcess } from "@/lib/per-process";

/** What is remembered, and of how many lost connections this process knew when it was empty. */
interface Kept<Known> {
  known: Known;
  lost: number;
}

const all = perProcess("keys in memory", () => new Map<string, Kept<unknown>>());

/**
 * What this process remembers of the keys in the database. It is empty again after a connection was lost: the database
 * may be another one, with other keys. So whoever reads a key takes `known` before, to remember it there.
 */
export class KeyMemory<Known> {
  constructor(
    private readonly name: string,
    private readonly empty: () => Known,
  ) {}

  known(): Known {
    const lost = lostConnections();
    const kept = all.get(this.name);
    if (kept?.lost === lost) return kept.known as Known;
    const known = this.empty();
    all.set(this.name, { known, lost });
    return known;
  }

  /** Call it after a change of these keys. */
  forget(): void {
    all.delete(this.name);
  }
}
