import { setTimeout as sleep } from "node:timers/promises";
import type { SqlTransaction } from "@/lib/db/sql";
import { keepAwake } from "@/lib/keep-awake";
import { log } from "@/lib/log";
import { start } from "./rows";
import { forgetSealed } from "./sealed";

/** For so long after it was collected, a token's sealed form is kept: the program's response may have been lost. */
const KEPT_SEALED_MS = 60_000;

/** Makes a collected token work. */
export async function startToken(tx: SqlTransaction, id: string, now: Date): Promise<void> {
  await tx.write(start(id, now, new Date(now.getTime() + KEPT_SEALED_MS)));
}

/** Deletes the sealed form in a minute. If this process ends before, `sweepTokens` does it. */
export function forgetSealedSoon(id: string): void {
  keepAwake(
    forgetInAMinute(id).catch((error) =>
      log.warn({ err: error }, "the sealed form of a token could not be deleted; the sweep will"),
    ),
  );
}

async function forgetInAMinute(id: string): Promise<void> {
  await sleep(KEPT_SEALED_MS, undefined, { ref: false });
  await forgetSealed([id]);
}
