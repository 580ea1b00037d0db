import { hash, randomBytes } from "node:crypto";

const PARTS = 256;
const FIRST_SLOTS = 64;
const MOST_LOAD = 0.75;

/**
 * A set of texts that stores 8 bytes of each: of their SHA-256 with a random salt, so nobody can prepare collisions.
 * With two million texts, two different ones are mistaken for the same in one of ten million sets. It consists of many
 * small tables, so that none is large when copied to grow. Sets of 64-bit numbers were tried: eight imports of two
 * million entries at once would take 730 MB of V8's heap, and not 270 MB outside of it.
 */
export class Fingerprints {
  private readonly salt = randomBytes(12).toString("base64");
  private readonly tables = Array.from({ length: PARTS }, () => ({ slots: new Uint32Array(2 * FIRST_SLOTS), used: 0 }));

  /** Whether `text` was new. */
  add(text: string): boolean {
    const { part, high, low } = this.fingerprint(text);
    const table = this.tables[part];
    if (!table) throw new RangeError("a byte has 256 values");
    if (!insert(table.slots, high, low)) return false;
    table.used++;
    if (table.used > (table.slots.length / 2) * MOST_LOAD) table.slots = grown(table.slots);
    return true;
  }

  has(text: string): boolean {
    const { part, high, low } = this.fingerprint(text);
    const slots = this.tables[part]?.slots;
    return slots !== undefined && isFilled(slots, slotOf(slots, high, low));
  }

  private fingerprint(text: string): { part: number; high: number; low: number } {
    const digest = hash("sha256", this.salt + text, "hex");
    const number = (from: number, to: number) => Number.parseInt(digest.slice(from, to), 16);
    // 0 in the second half means an empty slot, so no fingerprint has it.
    return { part: number(16, 18), high: number(0, 8), low: number(8, 16) || 1 };
  }
}

function insert(slots: Uint32Array, high: number, low: number): boolean {
  const slot = slotOf(slots, high, low);
  if (isFilled(slots, slot)) return false;
  slots[slot] = high;
  slots[slot + 1] = low;
  return true;
}

/** The slot of this fingerprint, or the empty slot for it. */
function slotOf(slots: Uint32Array, high: number, low: number): number {
  const most = slots.length - 1;
  let slot = (high * 2) & most;
  while (isFilled(slots, slot) && (slots[slot] !== high || slots[slot + 1] !== low)) slot = (slot + 2) & most;
  return slot;
}

function isFilled(slots: Uint32Array, slot: number): boolean {
  return slots[slot + 1] !== 0;
}

function grown(slots: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(slots.length * 2);
  for (let slot = 0; slot < slots.length; slot += 2)
    if (isFilled(slots, slot)) insert(larger, slots[slot] ?? 0, slots[slot + 1] ?? 0);
  return larger;
}
