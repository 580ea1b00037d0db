import { invalidParameter } from "@/lib/platform/errors";
import { foldCase } from "@/lib/platform/fold-case";

/** The type of a folder. */
export const FOLDER = ".folder";
/** The location of every user's root folder. */
export const USERS = "origin/(c) users";

/** Positions among the 14 values of an entry (contract, section 3), counted from 0. */
export const TYPE = 0;
export const NAME = 1;
export const LOCATION = 2;
export const DATA = 3;
export const EDITED = 9;
export const SIZE = 11;
export const ID = 13;
export const VALUES_PER_ENTRY = 14;

/** The document's owner: its root folder has the user's name. */
export interface FileOwner {
  id: string;
  username: string;
}

/** What identifies an entry, and its location. */
export interface EntryHead {
  id: string;
  type: string;
  name: string;
  location: string;
}

export type HeadPart = keyof EntryHead;

/** The facts about an entry, besides its data. */
export interface EntryFacts extends EntryHead {
  /** Bytes of the content; for a folder, the number of listed children. */
  size: number;
  /** The JSON text of the value, shortened if too long. */
  edited: string;
  isBase64: boolean;
}

const MAX_NAME = 255;
/** Limit for a location's JSON text: an import accepts no longer ones. */
const MAX_LOCATION_BYTES = 60_000;
const FORBIDDEN = /[/\p{Cc}]/u;
/** The base name and the extension, which begins with the last point, if both are non-empty. */
const EXTENSION = /^(.+)(\.[^.\s]{1,32})$/su;

/** Throws 400 `invalid_parameter` for an invalid name. */
export function checkName(name: string): void {
  if (name === "" || name === "." || name === "..")
    throw invalidParameter(`The name "${name}" is not allowed. Choose another one.`);
  if (name.length > MAX_NAME)
    throw invalidParameter(`A name has at most ${MAX_NAME} characters; this one has ${name.length}.`);
  if (FORBIDDEN.test(name) || !name.isWellFormed())
    throw invalidParameter("A name cannot contain a slash, control characters or broken characters.");
}

/** The parts in which a document stores the name of a file. */
export function splitName(name: string): { name: string; type: string } {
  const [, base = name, type = ""] = EXTENSION.exec(name) ?? [];
  // A file of this type would look like a folder.
  return type === FOLDER ? { name, type: "" } : { name: base, type };
}

/** "name (2).txt" and so on: the n-th alternative to a used name. */
export function numberedName(name: string, n: number, isFolder: boolean): string {
  const { name: base, type } = isFolder ? { name, type: "" } : splitName(name);
  const end = ` (${n})${type}`;
  return `${base.slice(0, MAX_NAME - end.length).toWellFormed()}${end}`;
}

/** Throws 400 `invalid_parameter` if a document would not accept this location. */
export function checkLocation(path: string): void {
  if (Buffer.byteLength(JSON.stringify(path)) > MAX_LOCATION_BYTES)
    throw invalidParameter("The folders are nested too deeply, or their names are too long.");
}

/** The displayed name of a user's own folder. */
export const ROOT_NAME = "All files";

/** The displayed name of the folder with this path. */
export function folderName(path: string): string {
  const [, ...below] = path.slice(USERS.length + 1).split("/");
  return below.at(-1) ?? ROOT_NAME;
}

/** The path of an entry: a folder's children have it as their location, except for case. */
export function pathOf({ type, name, location }: { type: string; name: string; location: string }): string {
  return type === FOLDER ? `${location}/${name}` : `${location}/${name}${type}`;
}

/** Whether two locations mean the same folder. */
export function isSameLocation(one: string, other: string): boolean {
  return one.length === other.length && foldCase(one) === foldCase(other);
}

/**
 * Whether a location is the folder with this path, or below it. The rest after the path then begins at `path.length`.
 */
export function isWithin(location: string, path: string): boolean {
  if (location.length > path.length && location[path.length] !== "/") return false;
  return isSameLocation(location.slice(0, path.length), path);
}

/** Finds which folder among these entries a location is in or below. */
export function foldersAmong(heads: readonly EntryHead[]): FolderFinder<true> {
  return new FolderFinder(heads.filter(({ type }) => type === FOLDER).map((head) => [pathOf(head), true] as const));
}

/** Finds which of several folders a location is in or below, ignoring case. As fast with many folders as with few. */
export class FolderFinder<T> {
  private readonly byPath: ReadonlyMap<string, T>;
  /** The lengths of these paths, the shortest first. */
  private readonly lengths: number[];
  /** The entries of a folder are mostly adjacent. */
  private last: { location: string; value: T | undefined } | undefined;

  /** If two paths are the same folder, the last value wins. */
  constructor(folders: Iterable<readonly [path: string, value: T]>) {
    this.byPath = new Map(Array.from(folders, ([path, value]) => [foldCase(path), value] as const));
    this.lengths = [...new Set([...this.byPath.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  }

  /** The outermost one. */
  find(location: string): T | undefined {
    if (this.last?.location !== location) this.last = { location, value: this.search(foldCase(location)) };
    return this.last.value;
  }

  private search(folded: string): T | undefined {
    for (const length of this.lengths) {
      if (length > folded.length) return undefined;
      if (length < folded.length && folded[length] !== "/") continue;
      const value = this.byPath.get(folded.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}
