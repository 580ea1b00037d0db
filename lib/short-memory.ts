import { perProcess } from "./per-process";
/** Remembers keys for a while in this process, to spare the database. Forgetting one only costs a query. */
export interface ShortMemory {
  has(key: string): boolean;
  add(key: string): void;
}

const memories = perProcess("short memories", () => new Map<string, Map<string, number>>());

/** Remembers keys for `seconds` each, at most `most` of them: the oldest are forgotten first. */
export function shortMemory(name: string, seconds: number, most: number): ShortMemory {
  const keys = () => {
    const existing = memories.get(name);
    if (existing) return existing;
    const made = new Map<string, number>();
    memories.set(name, made);
    return made;
  };
  return {
    has: (key) => (keys().get(key) ?? 0) > performance.now(),
    add(key) {
      const known = keys();
      known.delete(key);
      known.set(key, performance.now() + seconds * 1_000);
      dropOldest(known, most);
    },
  };
}

/** Leaves at most `most` entries of a map: those that were added last. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
