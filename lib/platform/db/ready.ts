import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { unavailable } from "../errors";
import { log } from "../log";
import { perProcess } from "../process";
import { acceptsWrites, sql } from "./client";
import { isStorageFull } from "./errors";
import { migrationState } from "./migrate";
import { insert, integer, rowShape, sqlChange } from "./statement";

/**
 * How this version reads and writes what is stored. A migration that gives stored values another meaning raises the
 * number in the table `Format`, and this one with it; and it renames the column, so that statements of a process that
 * has not noticed yet fail, instead of reading or writing the wrong thing.
 */
const FORMAT = 1;

/** The database's number as a column of a statement. */
export const FORMAT_NUMBER = '(SELECT max(f."number") FROM "Format" f)';

const latest = perProcess("format", () => ({ number: FORMAT }));

const format = rowShape({}, { number: integer(FORMAT_NUMBER) });
/** The row of the format alone. */
const formatOfDatabase = () => format.from`(SELECT 1 AS "one") o`;

/** Notes the number that was read with something else. */
export function noteFormat(number: number): void {
  if (number > FORMAT && latest.number <= FORMAT)
    log.error(
      "a newer version of Latchkey has migrated the database: this process responds with 503 until it is replaced",
    );
  latest.number = number;
}

/** Whether a newer version has migrated the database, as far as this process knows: within a second. */
const isOutdated = (): boolean => latest.number > FORMAT;

/** The same, by reading it from the database now. */
export async function isFormatOutdated(): Promise<boolean> {
  const [row] = await sql.read(formatOfDatabase());
  noteFormat(row?.number ?? FORMAT);
  return isOutdated();
}

/** Throws 503 `unavailable` in a process of a version that is older than what is stored. */
export function refuseOutdated(): void {
  if (isOutdated())
    throw unavailable("The service is being upgraded: this process is older than its database. Try again in a moment.");
}

/** As many bytes as the data of a key may have (contract, section 2: data). */
const TRIED_BYTES = 65_536;

/** Whether the database has space for a change: stores as much as a key needs, and removes it. Throws other errors. */
export async function hasSpaceToWrite(now = new Date()): Promise<boolean> {
  const id = `room ${randomUUID()}`;
  const row = { id, startedAt: now, refreshedAt: now, endedAt: null, findings: "x".repeat(TRIED_BYTES) };
  try {
    // In one transaction, so that nobody sees it.
    await sql.write(async (tx) => {
      await tx.write(insert("Examination", row));
      await tx.write(sqlChange`DELETE FROM "Examination" WHERE "id" = ${id}`);
    });
    return true;
  } catch (error) {
    if (isStorageFull(error)) return false;
    throw error;
  }
}

const PATIENCE_MS = 3_000;
/** The database is checked at most once in this time, however often this is called. */
const FRESH_MS = 1_000;
/** A change is tried no more often while there is space for it: each writes to the disk. */
const SPACE_MS = 10_000;

let hadSpaceAt = Number.NEGATIVE_INFINITY;
let latestCheck: { at: number; isReady: Promise<boolean> } | undefined;

const readiness = perProcess("readiness", () => ({ isStopping: false }));

/** From now on, `isReady` says no: whoever distributes requests sends them elsewhere before this process ends. */
export function noteStopping(): void {
  readiness.isStopping = true;
}

/**
 * Whether the database responds within three seconds, accepts writes, had space for them ten seconds ago, and is
 * migrated to this version; and this process goes on.
 */
export async function isReady(): Promise<boolean> {
  if (readiness.isStopping) return false;
  if (!latestCheck || performance.now() - latestCheck.at > FRESH_MS)
    latestCheck = {
      at: performance.now(),
      isReady: Promise.race([check(), sleep(PATIENCE_MS, false, { ref: false })]),
    };
  return latestCheck.isReady;
}

async function check(): Promise<boolean> {
  try {
    return (
      (await acceptsWrites()) &&
      (await migrationState()).pending.length === 0 &&
      !(await isFormatOutdated()) &&
      (performance.now() - hadSpaceAt < SPACE_MS || (await trySpace()))
    );
  } catch {
    return false;
  }
}

async function trySpace(): Promise<boolean> {
  const hasSpace = await hasSpaceToWrite();
  if (hasSpace) hadSpaceAt = performance.now();
  return hasSpace;
}
