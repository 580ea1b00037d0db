import { open, readFile } from "node:fs/promises";
import { EXIT, Failure } from "../failure";
import type { KeptFolder } from "./kept-folder";
import { OWN_FOLDER } from "./safe-name";
import { NEW, NOT_A_LINK } from "./save-file";

const LOCK = `${OWN_FOLDER}/lock`;

/** Lets one pull at a time write a folder. Returns what unlocks it. Throws a Failure if another one is running. */
export async function lockFolder(folder: KeptFolder): Promise<() => Promise<void>> {
  for (;;) {
    try {
      const file = await open(folder.at(LOCK), NEW | NOT_A_LINK);
      await file.write(String(process.pid));
      await file.close();
      return () => folder.remove(LOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const owner = Number(await readFile(folder.at(LOCK), "utf8").catch(() => ""));
      if (isRunning(owner))
        throw new Failure(EXIT.tryLater, "already_running", `Another pull is writing ${folder.root} now.`);
      await folder.remove(LOCK);
    }
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
