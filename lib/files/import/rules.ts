import { hash, randomBytes } from "node:crypto";
import { foldCase } from "@/lib/platform/fold-case";
import { type EntryHead, FOLDER, type HeadPart, isSameLocation, isWithin, pathOf, USERS } from "../document/entry";
import type { Kind } from "../document/json-scanner";
import { type ImportReport, quoted, type Reason } from "../errors";
import { isEntryId, MAX_ID } from "../schema";

/**
 * One of the 14 values of an entry: its name in a refusal, its allowed kinds, and whether the rules between entries
 * need it.
 */
interface Value {
  name: string;
  kinds?: readonly Kind[];
  part?: HeadPart;
}

const STRING: readonly Kind[] = ["string"];
/** Stored documents have all of these instead of a number. */
const NUMBER: readonly Kind[] = ["number", "string", "null"];

/** Contract, section 3. Unused values may be anything; so may a file's data, which comes in all kinds. */
export const VALUES: readonly Value[] = [
  { name: "type", kinds: STRING, part: "type" },
  { name: "name", kinds: STRING, part: "name" },
  { name: "location", kinds: STRING, part: "location" },
  { name: "data" },
  { name: "value 5" },
  { name: "x", kinds: NUMBER },
  { name: "y", kinds: NUMBER },
  { name: "value 8" },
  { name: "created", kinds: NUMBER },
  { name: "edited", kinds: NUMBER },
  { name: "icon" },
  { name: "size", kinds: NUMBER },
  { name: "permissions", kinds: ["array", "string", "null"] },
  { name: "id", kinds: STRING, part: "id" },
];

const PARTS = 256;
const FIRST_SLOTS = 64;
const MAX_LOAD = 0.75;

/**
 * A set of texts that stores 8 bytes of each: of their SHA-256 with a random salt, so nobody can prepare collisions.
 * With two million texts, two different ones are mistaken for the same in one of ten million sets. It consists of many
 * small tables, so that none is large when copied to grow. Sets of 64-bit numbers were tried: eight imports of two
 * million entries at once would take 730 MB of V8's heap, and not 270 MB outside of it.
 */
class Fingerprints {
  private readonly salt = randomBytes(12).toString("base64");
  private readonly tables = Array.from({ length: PARTS }, () => ({ slots: new Uint32Array(2 * FIRST_SLOTS), used: 0 }));

  /** Whether `text` was new. */
  add(text: string): boolean {
    const { part, high, low } = this.fingerprint(text);
    const table = this.tables[part];
    if (!table) throw new RangeError("a byte has 256 values");
    if (!insert(table.slots, high, low)) return false;
    table.used++;
    if (table.used > (table.slots.length / 2) * MAX_LOAD) table.slots = grown(table.slots);
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
  const mask = slots.length - 1;
  let slot = (high * 2) & mask;
  while (isFilled(slots, slot) && (slots[slot] !== high || slots[slot + 1] !== low)) slot = (slot + 2) & mask;
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

/** Why an entry cannot be imported, and which of its values is the reason. */
export interface Refusal {
  reason: Reason;
  /** The value's name. */
  value: string;
  why: string;
}

/** The verdict on an entry: it is accepted; or its folder was not read so far; or it cannot be imported. */
export type Verdict = "accepted" | "late" | Refusal;

/** What entries must comply with, and the report on those that do not. */
export interface ImportChecks {
  rules: EntryRules;
  report: ImportReport;
}

/**
 * The rules between the entries of a document (contract, section 3): one is the user's root folder, every other one is
 * in a folder of the document, and ids are unique. Locations match folders without regard to case. Also rewrites a
 * document that is stored for another user than its own.
 */
export class EntryRules {
  /** The root folder as in the document, once read. */
  private root: { name: string; path: string } | undefined;
  private readonly ids = new Fingerprints();
  /** By case-folded path, as in the document. */
  private readonly folders = new Fingerprints();
  private readonly refused = new Fingerprints();
  /** The entries of a folder are mostly adjacent. */
  private lastLocation: string | undefined;

  constructor(private readonly username: string) {}

  get hasRoot(): boolean {
    return this.root !== undefined;
  }

  /** The verdict on an entry with this head, whose id may not be read yet. */
  check(head: Omit<EntryHead, "id">): Verdict {
    const { type, name, location } = head;
    if (type === FOLDER && (name === "" || name.includes("/")))
      return { reason: "name", value: "name", why: "a folder's name must not be empty or hold a slash" };
    if (this.isRoot(head)) return "accepted";
    if (!this.root) return "late";
    if (location === this.lastLocation) return "accepted";
    if (!isWithin(location, this.root.path))
      return {
        reason: "outside",
        value: "location",
        why: `${quoted(location)} is outside the document's own root, ${quoted(this.root.path)}`,
      };
    if (!this.folders.has(foldCase(location))) return "late";
    this.lastLocation = location;
    return "accepted";
  }

  /** Whether this is the user's root folder: the first folder at its location. */
  isRoot({ type, location }: Omit<EntryHead, "id">): boolean {
    return !this.root && type === FOLDER && isSameLocation(location, USERS);
  }

  /** Records that an entry was accepted. Returns whether it is a folder with the path of an earlier one. */
  accept(head: Omit<EntryHead, "id">): boolean {
    if (head.type !== FOLDER) return false;
    const path = pathOf(head);
    if (this.isRoot(head)) this.root = { name: head.name, path };
    return !this.folders.add(foldCase(path));
  }

  /** Records that an entry cannot be imported, so that entries below it get the right reason. */
  reject(head: Omit<EntryHead, "id">): void {
    if (head.type === FOLDER) this.refused.add(foldCase(pathOf(head)));
  }

  /** Why an entry without a folder cannot be imported. */
  orphaned(location: string): Refusal {
    if (this.refused.has(foldCase(location)))
      return { reason: "below", value: "location", why: `the folder ${quoted(location)} cannot be imported` };
    return { reason: "missing", value: "location", why: `the document has no folder ${quoted(location)}` };
  }

  /** Why an id cannot be stored. `twice` must throw: entries with the same id cannot be distinguished. */
  id(id: string, twice: (why: string) => never): Refusal | undefined {
    if (!isEntryId(id))
      return {
        reason: "id",
        value: "id",
        why: `an id must have 1 to ${MAX_ID} ASCII characters, without spaces, quotes or backslashes`,
      };
    if (!this.ids.add(id)) twice(`an earlier entry already has the id ${id}`);
    return undefined;
  }

  /** The stored name of the root folder: the user's own. */
  storedName(name: string): string {
    return foldCase(name) === foldCase(this.username) ? name : this.username;
  }

  /** A location as stored: with the user's name instead of the document's own, otherwise unchanged. */
  storedLocation(location: string): string {
    if (!this.root || this.storedName(this.root.name) === this.root.name) return location;
    // The user's name is between the root's location and the rest.
    const { name, path } = this.root;
    return location.slice(0, path.length - name.length) + this.username + location.slice(path.length);
  }
}

/** The sentence about an entry that cannot be imported. */
export function sentenceOf(entry: number, { value, why }: Refusal): string {
  return `Entry ${entry}, ${value}: ${why}.`;
}
