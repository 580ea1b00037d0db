import { type EntryHead, FOLDER, USERS } from "../document/entry";
import { foldCase } from "../document/fold-case";
import { isSamePlace, isWithin, pathOf } from "../document/paths";
import { isEntryId, MOST_ID } from "../entry-id";
import { quoted, type Reason } from "../import-report";
import { Fingerprints } from "./fingerprints";

/** Why an entry cannot be imported, and which of its values is the reason. */
export interface Refusal {
  reason: Reason;
  /** The value's name. */
  value: string;
  why: string;
}

/** The verdict on an entry: it is taken; or its folder was not found so far; or it cannot be imported. */
export type Verdict = "taken" | "late" | Refusal;

/**
 * The rules between the entries of a document (contract, section 3): one is the user's root folder, every other one is
 * in a folder of the document, and ids are unique. Locations match folders without regard to case. Also rewrites a
 * document that is stored for another user than its own.
 */
export class EntryRules {
  /** The root folder as in the document, once found. */
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

  /** The verdict on an entry with this head, whose id may not be known yet. */
  judge(head: Omit<EntryHead, "id">): Verdict {
    const { type, name, location } = head;
    if (type === FOLDER && (name === "" || name.includes("/")))
      return { reason: "name", value: "name", why: "a folder's name must not be empty or hold a slash" };
    if (this.isRoot(head)) return "taken";
    if (!this.root) return "late";
    if (location === this.lastLocation) return "taken";
    if (!isWithin(location, this.root.path))
      return {
        reason: "outside",
        value: "location",
        why: `${quoted(location)} is outside the document's own root, ${quoted(this.root.path)}`,
      };
    if (!this.folders.has(foldCase(location))) return "late";
    this.lastLocation = location;
    return "taken";
  }

  /** Whether this is the user's root folder: the first folder at its location. */
  isRoot({ type, location }: Omit<EntryHead, "id">): boolean {
    return !this.root && type === FOLDER && isSamePlace(location, USERS);
  }

  /** Records that an entry was taken. Returns whether it is a folder with the path of an earlier one. */
  took(head: Omit<EntryHead, "id">): boolean {
    if (head.type !== FOLDER) return false;
    const path = pathOf(head);
    if (this.isRoot(head)) this.root = { name: head.name, path };
    return !this.folders.add(foldCase(path));
  }

  /** Records that an entry cannot be imported, so that entries below it get the right reason. */
  left(head: Omit<EntryHead, "id">): void {
    if (head.type === FOLDER) this.refused.add(foldCase(pathOf(head)));
  }

  /** Why an entry without a folder cannot be imported. */
  orphaned(location: string): Refusal {
    if (this.refused.has(foldCase(location)))
      return { reason: "below", value: "location", why: `the folder ${quoted(location)} cannot be imported` };
    return { reason: "missing", value: "location", why: `the document has no folder ${quoted(location)}` };
  }

  /** Why an id cannot be kept. `twice` must throw: entries with the same id cannot be told apart. */
  id(id: string, twice: (why: string) => never): Refusal | undefined {
    if (!isEntryId(id))
      return {
        reason: "id",
        value: "id",
        why: `an id must have 1 to ${MOST_ID} ASCII characters, without spaces, quotes or backslashes`,
      };
    if (!this.ids.add(id)) twice(`an earlier entry already has the id ${id}`);
    return undefined;
  }

  /** The stored name of the root folder: the user's own. */
  storedName(name: string): string {
    return foldCase(name) === foldCase(this.username) ? name : this.username;
  }

  /** A location as stored: with the user's name in place of the document's own, otherwise unchanged. */
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
