import { setTimeout as sleep } from "node:timers/promises";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { tryConnecting } from "@/lib/db/client";
import { isUnavailable } from "@/lib/db/errors";
import { explainAbsence, explainFault } from "@/lib/db/explain";
import { migrate } from "@/lib/db/migrate";
import { log } from "@/lib/log";

const LONGEST_PAUSE_MS = 5_000;

/**
 * Brings the database up to date, and waits for one that is away, saying so each time it has tried. Throws an Error whose
 * message is a sentence that says what to do where waiting would not help.
 */
export async function prepareDatabase(): Promise<void> {
  for (let pause = 500; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await tryConnecting();
      const applied = await migrate();
      if (applied.length > 0) log.info({ applied }, "migrated the database");
      return await checkSecrets("service");
    } catch (error) {
      const fault = explainFault(error);
      if (fault) throw new Error(fault);
      if (!isUnavailable(error) && !(await isGone())) throw error;
      log.warn(`${explainAbsence(error)} Requests are answered with 503 until it does.`);
    }
    await sleep(pause);
  }
}

/** What the migration engine says of a database that goes away under it tells nothing. */
async function isGone(): Promise<boolean> {
  try {
    await tryConnecting();
    return false;
  } catch (error) {
    return isUnavailable(error);
  }
}
