import { setTimeout as sleep } from "node:timers/promises";
import { SEEN_WITHIN_SECONDS } from "@/lib/platform/bounds";
import { sql } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { keepAwake, perProcess, shortMemory } from "@/lib/platform/process";
import { markSeen } from "./queries";

/** Users who come within this time are written together. */
const GATHER_MS = 1_000;
const AT_ONCE = 500;

const lately = shortMemory("users seen", SEEN_WITHIN_SECONDS, 50_000);

const seen = perProcess("seen", () => new Set<string>());

/** Records that the user was here, for lists of users. The request does not wait for it. */
export function recordSeen(userId: string): void {
  if (lately.has(userId)) return;
  lately.add(userId);
  if (seen.add(userId).size === 1) keepAwake(sleep(GATHER_MS, undefined, { ref: false }).then(writeSeen));
}

/** Writes now what waits to be written. Does not throw: it only costs accuracy. */
export async function writeSeen(): Promise<void> {
  const users = [...seen];
  seen.clear();
  try {
    for (let from = 0; from < users.length; from += AT_ONCE)
      await sql.batch([markSeen(users.slice(from, from + AT_ONCE), new Date())]);
  } catch (error) {
    log.warn({ err: error }, "the last use of some accounts could not be recorded");
  }
}
