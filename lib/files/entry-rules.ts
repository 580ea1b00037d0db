import { isEntryId, MOST_ID } from "./entry-id";
import { Fingerprints } from "./fingerprints";
import { foldCase } from "./fold-case";
import { quoted, type Reason } from "./import-report";
import { isSamePlace, isWithin, pathOf } from "./places";

export const FOLDER = ".folder";
/** The location of every user's root folder. */
export const USERS = "origin/(c) users";

/** The parts of an entry that say where it is. */
export type Part = "type" | "name" | "location" | "id";
export type Head = Record<Part, string>;

/** Why an entry, or which of its values, cannot be imported. */
export interface Refusal {
  reason: Reason;
  /** The value's name. */
  value: string;
  why: string;
}

/** What becomes of an entry: it is taken; or its folder was not found so far; or it cannot be imported. */
export type Verdict = "taken" | "late" | Refusal;

/**
 * What holds between the entries of a document (contract, section 3): one is the user's root folder, every other one lies in
 * a folder of the document, and no id comes twice. Locations find folders without regard to case. Also says what the document
 * is to hold instead where it is stored for another user than its own.
 */
export class EntryRules {
  /** The root folder as the document has it, once it was found. */
  private root: { name: string; path: string } | undefined;
  private readonly ids = new Fingerprints();
  /** By their paths without case, as the document has them. */
  private readonly folders = new Fingerprints();
  private readonly refused = new Fingerprints();
  /** The entries of a folder mostly follow one another. */
  private lastLocation: string | undefined;

  constructor(private readonly username: string) {}

  get hasRoot(): boolean {
    return this.root !== undefined;
  }

  /** What becomes of an entry with this head, whose id may not be known yet. */
  judge(head: Omit<Head, "id">): Verdict {
    const { type, name, location } = head;
    if (type === FOLDER && (name === "" || name.includes("/")))
      return { reason: "name", value: "name", why: "a folder's name must not be empty or hold a slash" };
    if (this.isRoot(head)) return "taken";
    if (!this.root) return "late";
    if (location === this.lastLocation) return "taken";
    if (!isWithin(location, this.root.path))
      return { reason: "outside", value: "location", why: `${quoted(location)} is outside the document's own root, ${quoted(this.root.path)}` };
    if (!this.folders.has(foldCase(location))) return "late";
    this.lastLocation = location;
    return "taken";
  }

  /** Whether this is the user's root folder: the first folder in its place. */
  isRoot({ type, location }: Omit<Head, "id">): boolean {
    return !this.root && type === FOLDER && isSamePlace(location, USERS);
  }

  /** Says that an entry was taken. Answers whether it is a folder in the place of one that came before. */
  took(head: Omit<Head, "id">): boolean {
    if (head.type !== FOLDER) return false;
    const path = pathOf(head);
    if (this.isRoot(head)) this.root = { name: head.name, path };
    return !this.folders.add(foldCase(path));
  }

  /** Says that an entry cannot be imported, so that those below it are told why they cannot. */
  left(head: Omit<Head, "id">): void {
    if (head.type === FOLDER) this.refused.add(foldCase(pathOf(head)));
  }

  /** Why an entry cannot be imported whose folder did not come at all. */
  orphaned(location: string): Refusal {
    if (this.refused.has(foldCase(location))) return { reason: "below", value: "location", why: `the folder ${quoted(location)} cannot be imported` };
    return { reason: "missing", value: "location", why: `no entry is the folder ${quoted(location)}` };
  }

  /** Why an id cannot be kept. `twice` must throw: what has the same id cannot be told apart. */
  id(id: string, twice: (why: string) => never): Refusal | undefined {
    if (!isEntryId(id)) return { reason: "id", value: "id", why: `an id must have 1 to ${MOST_ID} characters of ASCII, without blanks, quotes or backslashes` };
    if (!this.ids.add(id)) twice(`an entry before this one has the id ${id} too`);
    return undefined;
  }

  /** The name of the root folder as it is stored: the user's own. */
  storedName(name: string): string {
    return foldCase(name) === foldCase(this.username) ? name : this.username;
  }

  /** A location as it is stored: with the user's name in place of the document's own one, and nothing else changed. */
  storedLocation(location: string): string {
    if (!this.root || this.storedName(this.root.name) === this.root.name) return location;
    // The user's name stands between the root's location and the rest.
    const { name, path } = this.root;
    return location.slice(0, path.length - name.length) + this.username + location.slice(path.length);
  }
}
