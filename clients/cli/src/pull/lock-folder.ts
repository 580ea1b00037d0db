import { randomUUID } from "node:crypto";
import { link, open, readFile, rename } from "node:fs/promises";
import { EXIT, Failure } from "../failure";
import type { KeptFolder } from "./kept-folder";
import { OWN_FOLDER } from "./safe-name";
import { NEW, NOT_A_LINK } from "./save-file";

const LOCK = `${OWN_FOLDER}/lock`;

/** The folders that this process has locked: a killed process may have had its id, as in a container. */
const ours = new Set<string>();

/** Lets one pull at a time write a folder. Returns what unlocks it. Throws a Failure if another one is running. */
export async function lockFolder(folder: KeptFolder): Promise<() => Promise<void>> {
  const refused = () => new Failure(EXIT.tryLater, "already_running", `Another pull is writing ${folder.root} now.`);
  if (ours.has(folder.root)) throw refused();
  ours.add(folder.root);
  try {
    while (!(await take(folder))) if (!(await removeAbandoned(folder))) throw refused();
  } catch (error) {
    ours.delete(folder.root);
    throw error;
  }
  return async () => {
    await folder.remove(LOCK);
    ours.delete(folder.root);
  };
}

/** The lock appears with its owner's id in it, so nobody takes it for an abandoned one. */
async function take(folder: KeptFolder): Promise<boolean> {
  const draft = `${OWN_FOLDER}/lock-${randomUUID()}`;
  const file = await open(folder.at(draft), NEW | NOT_A_LINK);
  try {
    await file.write(String(process.pid));
    await file.close();
    await link(folder.at(draft), folder.at(LOCK));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return false;
  } finally {
    await folder.remove(draft);
  }
}

/** Removes the lock of a process that no longer runs. Returns whether it may be taken now. */
async function removeAbandoned(folder: KeptFolder): Promise<boolean> {
  if (await isHeld(folder, LOCK)) return false;
  const moved = `${OWN_FOLDER}/lock-${randomUUID()}`;
  try {
    await rename(folder.at(LOCK), folder.at(moved));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return true;
    throw error;
  }
  // Another process may have been faster, and this its new lock.
  const isOther = await isHeld(folder, moved);
  if (isOther) await link(folder.at(moved), folder.at(LOCK)).catch(() => {});
  await folder.remove(moved);
  return !isOther;
}

async function isHeld(folder: KeptFolder, path: string): Promise<boolean> {
  const owner = Number(await readFile(folder.at(path), "utf8").catch(() => ""));
  if (!Number.isSafeInteger(owner) || owner <= 0 || owner === process.pid) return false;
  try {
    return process.kill(owner, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
