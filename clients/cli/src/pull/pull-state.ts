import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { type KeptFolder, OWN_FOLDER } from "./kept-folder";
import { type Looks, looksOf, NEW, NOT_A_LINK } from "./save-file";

/** Whose files these are, and which version. */
export interface Source {
  address: string;
  username: string;
  etag: string;
}

/** An entry that was saved, with where the document goes on behind it. */
export interface Saved {
  type: string;
  name: string;
  location: string;
  /** A file has looks, a folder none. */
  looks?: Looks;
  end: number;
}

/** Paths of a version, from the root. Those of folders have no looks. */
export type SavedPaths = Map<string, Looks | undefined>;

const CURRENT = `${OWN_FOLDER}/state.jsonl`;
const NEXT = `${OWN_FOLDER}/next.jsonl`;

/**
 * What an earlier pull has written down: who the files belong to and, in their order, what was saved. `each` is called
 * for every entry. Undefined if there is nothing. A line that is incomplete does not count.
 */
export async function readState(
  folder: KeptFolder,
  which: "current" | "next",
  each: (saved: Saved) => void,
): Promise<Source | undefined> {
  const path = folder.at(which === "current" ? CURRENT : NEXT);
  if (!(await looksOf(path))) return undefined;
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

/** Writes down what a pull has saved, so that another one can go on if this one is stopped. */
export class PullLog {
  private constructor(
    private readonly folder: KeptFolder,
    private readonly file: FileHandle,
  ) {}

  /** `isContinued`: behind what is there; else in its place. */
  static async begin(folder: KeptFolder, source: Source, isContinued: boolean): Promise<PullLog> {
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
