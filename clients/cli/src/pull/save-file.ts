import { constants } from "node:fs";
import { type FileHandle, lstat, open, rename, utimes } from "node:fs/promises";
import { above, ifMissing, OWN_FOLDER, type PullFolder } from "./pull-folder";

/** Size and time of a file when it was saved. If they differ, somebody has changed it. */
export interface Fingerprint {
  size: number;
  modified: number;
}

export const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
/** Windows has no such flag, and links for administrators only. */
export const NOT_A_LINK = constants.O_NOFOLLOW ?? 0;

/** The fingerprint of a file; undefined for anything else. */
export async function fingerprintOf(path: string): Promise<Fingerprint | undefined> {
  const stats = await lstat(path).catch(ifMissing);
  return stats?.isFile() ? { size: stats.size, modified: Math.floor(stats.mtimeMs) } : undefined;
}

export const isSame = (a: Fingerprint | undefined, b: Fingerprint | undefined): boolean =>
  a !== undefined && b !== undefined && a.size === b.size && a.modified === b.modified;

interface FileToSave {
  content: AsyncIterable<Uint8Array>;
  /** Reads the time of the file, in Unix milliseconds. Called when the content has been read. */
  edited: () => Promise<unknown>;
  /** How an earlier pull left the file. */
  before: Fingerprint | undefined;
}

/**
 * Saves a file in one step: the old one is there until the new one is complete. Writes nothing if they are equal. An
 * old one that this command did not leave there is moved aside. Returns whether it was written.
 */
export async function saveFile(
  folder: PullFolder,
  path: string,
  { content, edited, before }: FileToSave,
): Promise<boolean> {
  await folder.folder(above(path));
  const target = folder.at(path);
  const current = await fingerprintOf(target);
  const part = `${OWN_FOLDER}/part-${process.pid}`;
  const isWritten = await writePart(folder, part, { content, old: current ? target : undefined });
  const time = new Date(Number(await edited()));
  const at = isWritten ? folder.at(part) : target;
  // Not every file system has such a time, or lets it be set; the content is what counts.
  if (time.getTime() > 0) await utimes(at, time, time).catch(() => {});
  if (!isWritten) return false;
  if (current ? !isSame(current, before) : (await lstat(target).catch(ifMissing)) !== undefined)
    await folder.moveAside(path);
  await rename(at, target);
  return true;
}

/** Writes the content to `part`, unless it is what the file `old` holds. Returns whether it did. */
async function writePart(
  folder: PullFolder,
  part: string,
  { content, old }: { content: AsyncIterable<Uint8Array>; old: string | undefined },
): Promise<boolean> {
  const compared = old === undefined ? undefined : await open(old, constants.O_RDONLY | NOT_A_LINK);
  let file: FileHandle | undefined;
  let length = 0;
  const begin = async () => {
    await folder.remove(part);
    file = await open(folder.at(part), NEW | NOT_A_LINK, 0o666);
    if (compared) await copy(compared, file, length);
    return file;
  };
  try {
    for await (const bytes of content) {
      if (!file && (!compared || !(await holds(compared, length, bytes)))) file = await begin();
      if (file) await writeAll(file, bytes);
      length += bytes.length;
    }
    const isShorter = compared !== undefined && (await compared.stat()).size > length;
    if (!file && (!compared || isShorter)) file = await begin();
    return file !== undefined;
  } catch (error) {
    if (file) await folder.remove(part);
    throw error;
  } finally {
    await file?.close();
    await compared?.close();
  }
}

async function holds(file: FileHandle, from: number, bytes: Uint8Array): Promise<boolean> {
  const held = Buffer.allocUnsafe(bytes.length);
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(held, read, bytes.length - read, from + read);
    if (bytesRead === 0) return false;
    read += bytesRead;
  }
  return held.equals(bytes);
}

async function copy(from: FileHandle, to: FileHandle, length: number): Promise<void> {
  const bytes = Buffer.allocUnsafe(65_536);
  for (let done = 0; done < length; ) {
    const { bytesRead } = await from.read(bytes, 0, Math.min(bytes.length, length - done), done);
    if (bytesRead === 0) throw new Error("A file became shorter while it was read.");
    await writeAll(to, bytes.subarray(0, bytesRead));
    done += bytesRead;
  }
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await file.write(bytes, done)).bytesWritten;
}
