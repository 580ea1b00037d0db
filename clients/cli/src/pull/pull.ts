import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type Entries, type Entry, type Latchkey, LatchkeyError } from "../../../typescript/src/latchkey";
import { EXIT, Failure } from "../failure";
import { makeFolder } from "../make-folder";
import { LocalPaths } from "./local-paths";
import { lockFolder } from "./lock-folder";
import { OWN_FOLDER, PullFolder } from "./pull-folder";
import { PullLog, readState, type SavedPaths, type Source } from "./pull-state";
import { type Fingerprint, fingerprintOf, isSame, saveFile } from "./save-file";

export interface Pulled {
  /** Whether the folder already was what the service has. */
  isCurrent: boolean;
  files: number;
  /** Paths in the folder that were written, and that the service no longer has. */
  written: string[];
  removed: string[];
  /** What was in the way, changed here, or removed there; and where it is now. */
  movedAside: string[];
  asideIn?: string;
}

interface Options {
  signal?: AbortSignal;
  /** Called for every file, and while a large one arrives. */
  onProgress?: (files: number, bytes: number) => void;
}

/**
 * Makes a folder hold the user's files. Writes only what differs, and loses nothing: what it replaces or removes, and
 * has not written itself, is moved aside. If it is stopped, the next one continues. Throws a Failure or a
 * LatchkeyError.
 */
export async function pull(latchkey: Latchkey, path: string, options: Options = {}): Promise<Pulled> {
  makeFolder(resolve(path));
  const folder = new PullFolder(await realpath(path));
  await folder.folder(OWN_FOLDER);
  const { lost, unlock } = await lockFolder(folder);
  const signal = options.signal ? AbortSignal.any([options.signal, lost]) : lost;
  try {
    return await new Pull(latchkey, folder, { ...options, signal }).run();
  } finally {
    await unlock();
  }
}

class Pull {
  /** What the last complete pull has left, and what the unfinished one after it has saved. */
  private readonly before: SavedPaths = new Map();
  private saved: SavedPaths = new Map();
  private paths = new LocalPaths();
  private offset = 0;
  private files = 0;
  private bytes = 0;
  private readonly written: string[] = [];

  constructor(
    private readonly latchkey: Latchkey,
    private readonly folder: PullFolder,
    private readonly options: Options,
  ) {}

  async run(): Promise<Pulled> {
    const { signal } = this.options;
    const { username } = await this.latchkey.me({ signal });
    const current = await this.loadState("current", username);
    const isIntact = current !== undefined && (await this.isIntact());
    const unfinished = await this.loadState("next", username);
    const entries = await this.entries(isIntact ? current.etag : undefined, unfinished);
    if (entries) await this.save(entries, { address: this.latchkey.address, username, etag: entries.etag });
    const removed = entries ? await this.removeOthers() : [];
    return {
      isCurrent: entries === undefined,
      files: entries ? this.files : [...this.before.values()].filter(Boolean).length,
      written: this.written,
      removed,
      movedAside: this.folder.aside,
      ...(this.folder.aside.length > 0 && { asideIn: this.folder.asidePath }),
    };
  }

  /** Reads what an earlier pull has written down, and where its entries are. */
  private async loadState(which: "current" | "next", username: string): Promise<Source | undefined> {
    const paths = new LocalPaths();
    const saved: SavedPaths = new Map();
    let offset = 0;
    const source = await readState(this.folder, which, ({ looks: fingerprint, end, ...head }) => {
      const path = paths.add({ ...head, isFolder: fingerprint === undefined });
      if (path) saved.set(path, fingerprint);
      offset = end;
    });
    if (source && (source.address !== this.latchkey.address || source.username !== username))
      throw new Failure(
        EXIT.usage,
        "other_folder",
        `${this.folder.root} holds the files of ${source.username} at ${source.address}. Pull into another folder.`,
      );
    for (const [path, fingerprint] of saved) this.before.set(path, fingerprint);
    if (source && which === "next") {
      this.paths = paths;
      this.saved = saved;
      this.offset = offset;
      this.files = [...saved.values()].filter(Boolean).length;
    }
    return source;
  }

  /** Whether all files are as they were left. */
  private async isIntact(): Promise<boolean> {
    for (const [path, fingerprint] of this.before)
      if (fingerprint && !isSame(await fingerprintOf(this.folder.at(path)), fingerprint)) return false;
    return true;
  }

  /** The rest of the unfinished version, if that is still there; else everything. Undefined if nothing has changed. */
  private async entries(etag: string | undefined, unfinished: Source | undefined): Promise<Entries | undefined> {
    const { files } = this.latchkey;
    const { signal } = this.options;
    if (unfinished && unfinished.etag !== etag && this.offset > 0)
      try {
        return await files.read({ from: { etag: unfinished.etag, offset: this.offset }, signal });
      } catch (error) {
        if (!(error instanceof LatchkeyError && ["document_changed", "range_not_satisfiable"].includes(error.code)))
          throw error;
      }
    this.startAgain();
    return files.read({ etag, signal });
  }

  private startAgain(): void {
    this.paths = new LocalPaths();
    this.saved = new Map();
    this.offset = 0;
    this.files = 0;
  }

  private async save(entries: Entries, source: Source): Promise<void> {
    const log = await PullLog.begin(this.folder, source, this.offset > 0);
    try {
      let begin = entries.offset;
      for await (const entry of entries) {
        const fingerprint = await this.saveEntry(entry, { etag: source.etag, offset: begin });
        await entry.details();
        begin = entries.offset;
        const { type, name, location } = entry;
        await log.add({ type, name, location, looks: fingerprint, end: entries.offset });
      }
      await log.complete();
    } finally {
      await log.close();
    }
  }

  /** The fingerprint of a file that was saved; undefined for a folder. `from`: where the entry begins. */
  private async saveEntry(entry: Entry, from: { etag: string; offset: number }): Promise<Fingerprint | undefined> {
    const path = this.paths.add(entry);
    if (entry.isFolder) {
      if (path) await this.folder.folder(path);
      if (path) this.saved.set(path, undefined);
      return undefined;
    }
    if (!path) return undefined;
    const edited = async () => (await entry.details()).edited;
    const save = (content: AsyncIterable<Uint8Array>) =>
      saveFile(this.folder, path, { content: this.counted(content), edited, before: this.before.get(path) });
    const isWritten = await save(entry.bytes()).catch((error) => {
      if (!(error instanceof LatchkeyError && error.code === "not_base64")) throw error;
      return save(this.textFrom(from));
    });
    if (isWritten) this.written.push(path);
    const fingerprint = await fingerprintOf(this.folder.at(path));
    this.saved.set(path, fingerprint);
    this.files++;
    this.options.onProgress?.(this.files, this.bytes);
    return fingerprint;
  }

  /** The data of the entry that begins there, as UTF-8, even if it begins like a data: URL. */
  private async *textFrom(from: { etag: string; offset: number }): AsyncGenerator<Uint8Array> {
    const entries = await this.latchkey.files.read({ from, signal: this.options.signal });
    for await (const entry of entries ?? []) {
      yield* entry.bytes("text");
      return;
    }
  }

  private async *counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const bytes of content) {
      this.options.signal?.throwIfAborted();
      this.bytes += bytes.length;
      this.options.onProgress?.(this.files, this.bytes);
      yield bytes;
    }
  }

  /** Moves aside what an earlier pull has left and this version has not, unless somebody has changed it since. */
  private async removeOthers(): Promise<string[]> {
    const obsolete = [...this.before].filter(([path]) => !this.saved.has(path));
    const removed: string[] = [];
    for (const [path, fingerprint] of obsolete)
      if (fingerprint && isSame(await fingerprintOf(this.folder.at(path)), fingerprint)) {
        await this.folder.moveAside(path);
        removed.push(path);
      }
    const folders = obsolete.flatMap(([path, fingerprint]) => (fingerprint ? [] : [path]));
    for (const path of folders.sort().reverse()) await this.folder.removeEmpty(path);
    return removed;
  }
}
