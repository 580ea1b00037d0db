import { setTimeout as sleep } from "node:timers/promises";
import { db, type Statements } from "@/lib/platform/db/client";
import { log } from "@/lib/platform/log";
import { keepAwake } from "@/lib/platform/process";

/** Deletes the sealed form of tokens that links created: it stands with the link, which has the token's id. */
export async function forgetSealed(ids: string[], tx: Statements = db): Promise<void> {
  await tx.linkCode.updateMany({ where: { id: { in: ids } }, data: { sealed: null } });
  // Last: the sweep finds by it what an interrupted process left.
  await tx.accessToken.updateMany({ where: { id: { in: ids } }, data: { sealedUntil: null } });
}

/** For so long after it was collected, a token's sealed form is stored: the program's response may have been lost. */
export const SEALED_MS = 60_000;

/** Deletes the sealed form in a minute. If this process ends before, `sweepSealed` does it. */
export function forgetSealedSoon(id: string): void {
  keepAwake(
    forgetInAMinute(id).catch((error) =>
      log.warn({ err: error }, "the sealed form of a token could not be deleted; the sweep will"),
    ),
  );
}

async function forgetInAMinute(id: string): Promise<void> {
  await sleep(SEALED_MS, undefined, { ref: false });
  await forgetSealed([id]);
}
