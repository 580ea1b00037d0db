import { setTimeout as sleep } from "node:timers/promises";
import { claimIdentities } from "@/lib/auth/claim-identities";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { isUnavailable } from "@/lib/db/errors";
import { explainAbsence, explainFault } from "@/lib/db/explain";
import { migrate } from "@/lib/db/migrate";
import { isBehindPooler } from "@/lib/db/pooler";
import { tryConnecting } from "@/lib/db/postgres";
import { log } from "@/lib/log";

const LONGEST_PAUSE_MS = 5_000;

/**
 * Brings the database up to date, and waits for one that is away, saying so each time it has tried. Throws an Error whose
 * message is a sentence that says what to do where waiting would not help.
 */
export async function prepareDatabase(): Promise<void> {
  for (let pause = 500; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await tryConnecting("to write");
      if (isBehindPooler()) log.info("a pooler is between this service and its database: no statement is prepared, and nothing is kept in a session");
      const applied = await migrate();
      if (applied.length > 0) log.info({ applied }, "migrated the database");
      await checkSecrets("service");
      const claimed = await claimIdentities();
      if (claimed > 0) log.info({ claimed }, "identities of earlier versions belong to the configured issuer from now on");
      return;
    } catch (error) {
      const fault = explainFault(error);
      if (fault) throw new Error(fault);
      if (!isUnavailable(error) && !(await isGone())) throw error;
      log.warn(`${explainAbsence(error)} Requests are answered with 503 meanwhile.`);
    }
    await sleep(pause);
  }
}

/** What the migration engine says of a database that goes away under it tells nothing. */
async function isGone(): Promise<boolean> {
  try {
    await tryConnecting("to write");
    return false;
  } catch (error) {
    return isUnavailable(error);
  }
}
