import { SavedPaths } from "../../../../lib/files/document/saved-paths";
import { foldCase } from "../../../../lib/platform/fold-case";
import { OWN_FOLDER } from "./pull-folder";

interface Head {
  type: string;
  name: string;
  location: string;
  isFolder: boolean;
}

/** Where the entries of a document are in a folder. What lies too deep is in the next folder above. */
export class LocalPaths {
  /** The folders so far: paths from the root, by their case-folded location in the document. */
  private readonly folders = new Map<string, string>();
  private readonly paths = new SavedPaths(OWN_FOLDER);

  /** The path of an entry, with slashes; undefined for a folder that is none here. The first one is the root, "". */
  add({ isFolder, location, name, type }: Head): string | undefined {
    const key = foldCase(`${location}/${name}`);
    if (isFolder && this.folders.size === 0) {
      this.folders.set(key, "");
      return "";
    }
    const above = this.above(location);
    if (!isFolder) return this.paths.file(above, name, type);
    // Folders whose locations differ only in case are one.
    if (this.folders.has(key)) return undefined;
    const path = this.paths.folder(above, name);
    this.folders.set(key, path ?? above);
    return path;
  }

  private above(location: string): string {
    for (let rest = foldCase(location); rest !== ""; rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")))) {
      const path = this.folders.get(rest);
      if (path !== undefined) return path;
    }
    return "";
  }
}
