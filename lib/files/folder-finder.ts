import { foldCase } from "./fold-case";

/** Finds the one of some folders that a location is, or is below, without regard to case. Takes no longer with many folders than with some. */
export class FolderFinder<T> {
  private readonly byPath: ReadonlyMap<string, T>;
  /** How long these paths are, the shortest first. */
  private readonly lengths: number[];
  /** The entries of a folder mostly follow one another. */
  private last: { location: string; found: T | undefined } | undefined;

  /** Of folders that are one, the last one's value counts. */
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
