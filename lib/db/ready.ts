import { setTimeout as sleep } from "node:timers/promises";
import { env } from "@/lib/env";
import { sql } from "./client";
import { pendingMigrations } from "./migrations";

const PATIENCE_MS = 3_000;
/** However often somebody asks, the database is asked once in this time. */
const FRESH_MS = 1_000;

let asked: { at: number; answer: Promise<boolean> } | undefined;

/** Whether the database answers within three seconds, takes writes and has every migration. */
export function isReady(): Promise<boolean> {
  if (!asked || performance.now() - asked.at > FRESH_MS)
    asked = { at: performance.now(), answer: Promise.race([ask(), sleep(PATIENCE_MS, false, { ref: false })]) };
  return asked.answer;
}

async function ask(): Promise<boolean> {
  try {
    return (await takesWrites()) && (await pendingMigrations()).length === 0;
  } catch {
    return false;
  }
}

/** A standby does not, nor a server whose operator, or whose full disk, stopped all writes. */
async function takesWrites(): Promise<boolean> {
  if (!env.DATABASE_URL) return true;
  const [row] = await sql.$queryRaw<{ readOnly: string }[]>`SELECT current_setting('transaction_read_only') AS "readOnly"`;
  return row?.readOnly === "off";
}
