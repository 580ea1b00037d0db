import { safeName, sameOnEverySystem } from "./safe-name";

/** Bytes of a folder's path: with the name of a file, and where the user put it, no system's limit is reached. */
const MOST_PATH_BYTES = 700;

interface Head {
  type: string;
  name: string;
  location: string;
  isFolder: boolean;
}

/**
 * Where the entries of a document are in a folder: at paths that are safe on every system, and differ in more than
 * case. What lies too deep is in the next folder above, and so is what has no folder.
 */
export class LocalPaths {
  /** The folders so far: paths from the root, by their location in the document. */
  private readonly folders = new Map<string, string>();
  /** Taken paths, and with which number the next one of the same name begins. */
  private readonly taken = new Map<string, number>();
  private hasRoot = false;

  /** The path of an entry, with slashes; undefined for a folder that is none here. The first one is the root, "". */
  add(entry: Head): string | undefined {
    const { isFolder, location, name, type } = entry;
    if (isFolder && !this.hasRoot) {
      this.hasRoot = true;
      this.folders.set(keyOf(`${location}/${name}`), "");
      return "";
    }
    const above = this.above(location);
    const safe = safeName(name, isFolder ? "" : type);
    if (!isFolder) return this.free(above, safe, /(?:\.[^.]*)?$/);
    const key = keyOf(`${location}/${name}`);
    // Folders whose locations differ only in case are one.
    if (this.folders.has(key)) return undefined;
    const isTooDeep = Buffer.byteLength(`${above}/${safe}`) > MOST_PATH_BYTES;
    const path = isTooDeep ? above : this.free(above, safe, /$/);
    this.folders.set(key, path);
    return isTooDeep ? undefined : path;
  }

  private above(location: string): string {
    for (let rest = location; rest !== ""; rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")))) {
      const path = this.folders.get(keyOf(rest));
      if (path !== undefined) return path;
    }
    return "";
  }

  /** The first free one of name, name (2), name (3) …; the number comes before `end`. */
  private free(above: string, name: string, end: RegExp): string {
    const at = above === "" ? "" : `${above}/`;
    const wanted = sameOnEverySystem(at + name);
    for (let n = this.taken.get(wanted) ?? 1; ; n++) {
      const begin = name.slice(0, name.search(end));
      const path = at + (n === 1 ? name : `${begin} (${n})${name.slice(begin.length)}`);
      const key = sameOnEverySystem(path);
      if (n > 1 && this.taken.has(key)) continue;
      this.taken.set(wanted, n + 1);
      if (n > 1) this.taken.set(key, 2);
      return path;
    }
  }
}

/** Programs lower-case locations. */
const keyOf = (location: string) => location.toUpperCase().toLowerCase();
