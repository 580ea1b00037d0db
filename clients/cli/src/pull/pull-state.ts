import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { OWN_FOLDER, type PullFolder } from "./pull-folder";
import { type Fingerprint, fingerprintOf, NEW, NOT_A_LINK } from "./save-file";

/** Whose files these are, and which version. */
export interface Source {
  address: string;
  username: string;
  etag: string;
}

/** An entry that was saved, with where the document continues behind it. */
export interface Saved {
  type: string;
  name: string;
  location: string;
  /** The fingerprint of a file; a folder has none. */
  looks?: Fingerprint;
  end: number;
}

/** Paths of a version, from the root. Folders have no fingerprint. */
export type SavedPaths = Map<string, Fingerprint | undefined>;

const CURRENT = `${OWN_FOLDER}/state.jsonl`;
const NEXT = `${OWN_FOLDER}/next.jsonl`;

/**
 * What an earlier pull has written down: who the files belong to and, in their order, what was saved. `each` is called
 * for every entry. Undefined if there is nothing. A line that is incomplete does not count.
 */
export async function readState(
  folder: PullFolder,
  which: "current" | "next",
  each: (saved: Saved) => void,
): Promise<Source | undefined> {
  const path = folder.at(which === "current" ? CURRENT : NEXT);
  if (!(await fingerprintOf(path))) return undefined;
  const file = await open(path, constants.O_RDONLY | NOT_A_LINK);
  let source: Source | undefined;
  for await (const line of file.readLines()) {
    const value = parsed(line);
    if (value !== undefined && source) each(value as Saved);
    else source ??= value as Source | undefined;
  }
  return source;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Writes down what a pull has saved, so that another one can continue if this one is stopped. */
export class PullLog {
  private constructor(
    private readonly folder: PullFolder,
    private readonly file: FileHandle,
  ) {}

  /** `isContinued`: behind what is there; else in its place. */
  static async begin(folder: PullFolder, source: Source, isContinued: boolean): Promise<PullLog> {
    if (!isContinued) await folder.remove(NEXT);
    const flags = isContinued ? constants.O_WRONLY | constants.O_APPEND : NEW;
    const file = await open(folder.at(NEXT), flags | NOT_A_LINK);
    const log = new PullLog(folder, file);
    // A line that was not completed ends here.
    await log.write(isContinued ? "" : JSON.stringify(source));
    return log;
  }

  async add(saved: Saved): Promise<void> {
    await this.write(JSON.stringify(saved));
  }

  /** The version is complete: from now on it is the current one. */
  async complete(): Promise<void> {
    await this.close();
    await rename(this.folder.at(NEXT), this.folder.at(CURRENT));
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  private async write(line: string): Promise<void> {
    await this.file.appendFile(`${line}\n`);
  }
}
