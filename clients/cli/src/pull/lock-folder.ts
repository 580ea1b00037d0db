import { randomUUID } from "node:crypto";
import { lstat, open, readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { EXIT, Failure } from "../failure";
import { OWN_FOLDER, type PullFolder } from "./pull-folder";
import { NEW, NOT_A_LINK } from "./save-file";

/** How often a pull shows that it is alive, and the silence after which it no longer is. */
const BEAT_MS = 15_000;
const SILENCE_MS = 120_000;
const MAX_TRIES = 3;

/** The folders that this process has locked: a killed process may have had its id, as in a container. */
const ours = new Set<string>();

interface Lock {
  /** Aborted if another pull considered this one dead, as when the machine slept. */
  lost: AbortSignal;
  unlock: () => Promise<void>;
}

/**
 * Lets one pull at a time write a folder. Throws a Failure if another one is running.
 *
 * Every pull writes a file of its own, then checks for those of others: of two, one at least sees the other. Nothing
 * but creating files is needed, which every file system can, and a name is never used twice.
 */
export async function lockFolder(folder: PullFolder): Promise<Lock> {
  const silence = `${SILENCE_MS / 60_000} minutes`;
  const sentence = `Another pull is writing ${folder.root} now. If it was killed, try again in ${silence}.`;
  const refused = () => new Failure(EXIT.tryLater, "already_running", sentence);
  if (ours.has(folder.root)) throw refused();
  ours.add(folder.root);
  try {
    for (let tries = 1; ; tries++) {
      const own = await announce(folder);
      if (!(await isLocked(folder, own))) return keepAlive(folder, own);
      await folder.remove(own);
      if (tries === MAX_TRIES) throw refused();
      // Two that began together do not meet again.
      await sleep(Math.random() * 200);
    }
  } catch (error) {
    ours.delete(folder.root);
    throw error;
  }
}

async function announce(folder: PullFolder): Promise<string> {
  const own = `${OWN_FOLDER}/lock-${randomUUID()}`;
  await write(folder, own, NEW);
  return own;
}

/** The file system itself gives the time: clocks of machines that share a folder differ. */
async function write(folder: PullFolder, path: string, flags: number | string): Promise<void> {
  const file = await open(folder.at(path), typeof flags === "number" ? flags | NOT_A_LINK : flags);
  try {
    await file.write(JSON.stringify({ host: hostname(), pid: process.pid }), 0);
  } finally {
    await file.close();
  }
}

/** Whether another pull is running. Removes what those left that were killed. */
async function isLocked(folder: PullFolder, own: string): Promise<boolean> {
  const { mtimeMs: now } = await lstat(folder.at(own));
  const entries = await readdir(folder.at(OWN_FOLDER), { withFileTypes: true });
  const names = entries.flatMap((one) => (one.isDirectory() ? [] : one.name));
  const left = names.map((name) => `${OWN_FOLDER}/${name}`).filter((path) => path !== own);
  for (const path of left.filter((one) => one.startsWith(`${OWN_FOLDER}/lock`))) {
    if (await isAlive(folder.at(path), now)) return true;
    await folder.remove(path);
  }
  for (const path of left.filter((one) => one.startsWith(`${OWN_FOLDER}/part-`))) await folder.remove(path);
  return false;
}

async function isAlive(path: string, now: number): Promise<boolean> {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || Math.abs(now - stats.mtimeMs) > SILENCE_MS) return false;
    const { host, pid } = JSON.parse(await readFile(path, "utf8"));
    return host !== hostname() || (pid !== process.pid && isRunning(pid));
  } catch (error) {
    // Not written yet; or it has ended meanwhile.
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function keepAlive(folder: PullFolder, own: string): Lock {
  const lost = new AbortController();
  const beat = () =>
    write(folder, own, "r+").catch((error) => {
      if (error.code === "ENOENT")
        lost.abort(new Failure(EXIT.tryLater, "already_running", `Another pull has taken over ${folder.root}.`));
    });
  const timer = setInterval(beat, BEAT_MS).unref();
  const unlock = async () => {
    clearInterval(timer);
    await folder.remove(own);
    ours.delete(folder.root);
  };
  return { lost: lost.signal, unlock };
}
