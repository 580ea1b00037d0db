import { foldCase } from "./fold-case";

/** Finds which of several folders a location is in or below, ignoring case. As fast with many folders as with few. */
export class FolderFinder<T> {
  private readonly byPath: ReadonlyMap<string, T>;
  /** The lengths of these paths, the shortest first. */
  private readonly lengths: number[];
  /** The entries of a folder are mostly adjacent. */
  private last: { location: string; found: T | undefined } | undefined;

  /** If two paths are the same folder, the last value wins. */
  constructor(folders: Iterable<readonly [path: string, value: T]>) {
    this.byPath = new Map(Array.from(folders, ([path, value]) => [foldCase(path), value] as const));
    this.lengths = [...new Set([...this.byPath.keys()].map(({ length }) => length))].sort((a, b) => a - b);
  }

  /** The outermost one. */
  find(location: string): T | undefined {
    if (this.last?.location !== location) this.last = { location, found: this.search(foldCase(location)) };
    return this.last.found;
  }

  private search(folded: string): T | undefined {
    for (const length of this.lengths) {
      if (length > folded.length) return undefined;
      if (length < folded.length && folded[length] !== "/") continue;
      const found = this.byPath.get(folded.slice(0, length));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
