import { setTimeout as sleep } from "node:timers/promises";
import { checkSecrets } from "@/lib/operator/secrets";
import { derivedKeys, explainOpenSecret } from "@/lib/platform/crypto/secrets";
import { tryConnecting } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";
import { explainAbsence, explainFault, explainPlace } from "@/lib/platform/db/explain";
import { migrate } from "@/lib/platform/db/migrate";
import { isBehindPooler } from "@/lib/platform/db/pooler";
import { formerSettings, sealActionsWith } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import manifest from "@/package.json";

const MAX_PAUSE_MS = 5_000;

/**
 * Migrates the database, and waits while it is unavailable, logging each attempt. If waiting would not help, throws an
 * Error whose message says what to do.
 */
export async function prepareDatabase(): Promise<void> {
  for (const { problem, advice } of formerSettings) log.warn(`${problem} ${advice}`);
  warnOf(explainPlace());
  for (let pause = 500; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
    try {
      await tryConnecting("to write");
      if (isBehindPooler())
        log.info(
          "a connection pooler is in front of the database: statements are not prepared, and nothing is kept in " +
            "a session",
        );
      const { from, applied } = await migrate();
      if (applied.length > 0) log.info({ from, to: manifest.version, applied }, "migrated the database");
      await checkSecrets("service");
      warnOf(explainOpenSecret());
      return;
    } catch (error) {
      const fault = explainFault(error);
      if (fault) throw new Error(fault);
      if (!isUnavailable(error) && !(await isDatabaseUnavailable())) throw error;
      log.warn(`${explainAbsence(error)} Until the database is available, requests get 503.`);
    }
    await sleep(pause);
  }
}

function warnOf(sentence: string | undefined): void {
  if (sentence) log.warn(sentence);
}

/** A driver's error may be unspecific when the database becomes unavailable during a migration. */
async function isDatabaseUnavailable(): Promise<boolean> {
  try {
    await tryConnecting("to write");
    return false;
  } catch (error) {
    return isUnavailable(error);
  }
}

/**
 * Makes Next seal the bound data of page actions with a key from this deployment's secret, the same in all its
 * processes. The build's key follows from public sources. Called before Next is asked for a page.
 */
export function setActionsKey(): void {
  sealActionsWith(derivedKeys("page actions")[0].export().toString("base64"));
}
