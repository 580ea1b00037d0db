import { type EntryHead, FOLDER } from "./entry";
import { foldCase } from "./fold-case";
import { numberedName } from "./names";
import { pathOf } from "./paths";

/** Bytes of a folder's path in an archive. No system unpacks much longer ones. */
const MOST_PATH_BYTES = 1_000;
/** Characters of a name and of its extension; no file system takes more than 255 bytes. */
const MOST_NAME = 120;
const MOST_TYPE = 40;
/** What some system does not take in a name, or takes for something else. */
const UNSAFE = /[\\/:*?"<>|\p{Cc}]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * The paths in an archive of selected entries and everything below them: safe on every system, and unique regardless of
 * case. Folders that are nested too deeply are left out, and their contents are in the next folder above. Entries must
 * come after their folders.
 */
export class ZipPaths {
  /** The paths in the archive of the folders so far, by their case-folded paths in the document. */
  private readonly folders = new Map<string, string>();
  /** Case-folded paths in the archive, and with which number the next one of the same name begins. */
  private readonly taken = new Map<string, number>();

  /** `keyOf` shortens the path of a folder: there may be thousands of long ones. */
  constructor(
    private readonly selected: ReadonlySet<string>,
    private readonly keyOf: (path: string) => string,
  ) {}

  /** The path of an entry, a folder's with "/" at its end; undefined if it is not in the archive. */
  add(head: EntryHead): string | undefined {
    const above = this.folders.get(this.keyOf(head.location)) ?? (this.selected.has(head.id) ? "" : undefined);
    if (above === undefined) return undefined;
    if (head.type !== FOLDER) return this.free(above, safeName(head), false);
    const key = this.keyOf(pathOf(head));
    // Folders whose paths differ only in case are one.
    if (this.folders.has(key)) return undefined;
    const path = this.free(above, safeName(head), true);
    const fits = Buffer.byteLength(path) < MOST_PATH_BYTES;
    this.folders.set(key, fits ? `${path}/` : above);
    return fits ? `${path}/` : undefined;
  }

  private free(above: string, name: string, isFolder: boolean): string {
    const wanted = foldCase(above + name);
    for (let n = this.taken.get(wanted) ?? 1; ; n++) {
      const path = above + (n === 1 ? name : numberedName(name, n, isFolder));
      if (n > 1 && this.taken.has(foldCase(path))) continue;
      this.taken.set(wanted, n + 1);
      if (n > 1) this.taken.set(foldCase(path), 2);
      return path;
    }
  }
}

/** The name of an entry as every system takes it. */
function safeName({ name, type }: EntryHead): string {
  const short = type === FOLDER ? name.slice(0, MOST_NAME) : name.slice(0, MOST_NAME) + type.slice(0, MOST_TYPE);
  const plain = short
    .toWellFormed()
    .replace(UNSAFE, "_")
    .replace(/[. ]+$/, "_");
  return plain === "" || RESERVED.test(plain) ? `_${plain}` : plain;
}
