import { setTimeout as sleep } from "node:timers/promises";
import { takesWrites } from "./client";
import { isFormatOutdated } from "./format";
import { pendingMigrations } from "./migrations";
import { hasRoom } from "./room";

const PATIENCE_MS = 3_000;
/** The database is asked at most once in this time, however often this is called. */
const FRESH_MS = 1_000;

let asked: { at: number; answer: Promise<boolean> } | undefined;

/** Whether the database responds within three seconds, takes writes, and is migrated to this version. */
export function isReady(): Promise<boolean> {
  if (!asked || performance.now() - asked.at > FRESH_MS)
    asked = { at: performance.now(), answer: Promise.race([ask(), sleep(PATIENCE_MS, false, { ref: false })]) };
  return asked.answer;
}

async function ask(): Promise<boolean> {
  try {
    return (
      (await takesWrites()) &&
      (await pendingMigrations()).length === 0 &&
      !(await isFormatOutdated()) &&
      (await hasRoom())
    );
  } catch {
    return false;
  }
}
