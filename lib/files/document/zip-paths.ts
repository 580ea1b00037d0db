import { type EntryHead, FOLDER, pathOf } from "./entry";
import { SavedPaths } from "./saved-paths";

/**
 * The paths in an archive of selected entries and everything below them. Folders that are nested too deeply are left
 * out, and their contents are in the next folder above. Entries must come after their folders.
 */
export class ZipPaths {
  /** The paths in the archive of the folders so far, by their case-folded paths in the document. */
  private readonly folders = new Map<string, string>();
  private readonly paths = new SavedPaths();

  /** `keyOf` shortens the path of a folder: there may be thousands of long ones. */
  constructor(
    private readonly selected: ReadonlySet<string>,
    private readonly hashOf: (path: string) => string,
  ) {}

  /** The path of an entry, a folder's with "/" at its end; undefined if it is not in the archive. */
  add(head: EntryHead): string | undefined {
    const above = this.folders.get(this.hashOf(head.location)) ?? (this.selected.has(head.id) ? "" : undefined);
    if (above === undefined) return undefined;
    if (head.type !== FOLDER) return this.paths.file(above, head.name, head.type);
    const pathHash = this.hashOf(pathOf(head));
    // Folders whose paths differ only in case are one.
    if (this.folders.has(pathHash)) return undefined;
    const path = this.paths.folder(above, head.name);
    this.folders.set(pathHash, path ?? above);
    return path && `${path}/`;
  }
}
