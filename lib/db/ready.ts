import { setTimeout as sleep } from "node:timers/promises";
import { takesWrites } from "./client";
import { isFormatOutdated } from "./format";
import { pendingMigrations } from "./migrations";
import { hasRoom } from "./room";

const PATIENCE_MS = 3_000;
/** The database is asked at most once in this time, however often this is called. */
const FRESH_MS = 1_000;
/** A change is tried no more often while there is room for it: each writes to the disk. */
const ROOM_MS = 10_000;

let hadRoomAt = Number.NEGATIVE_INFINITY;
let asked: { at: number; answer: Promise<boolean> } | undefined;

/**
 * Whether the database responds within three seconds, takes writes, had room for them ten seconds ago, and is
 * migrated to this version.
 */
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
      (performance.now() - hadRoomAt < ROOM_MS || (await findsRoom()))
    );
  } catch {
    return false;
  }
}

async function findsRoom(): Promise<boolean> {
  const isFound = await hasRoom();
  if (isFound) hadRoomAt = performance.now();
  return isFound;
}
