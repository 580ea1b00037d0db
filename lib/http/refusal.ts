import { isNotMigrated, isStorageFull, isUnavailable } from "@/lib/db/errors";
import { ApiError, dataDamaged, internal, isDamage, storageFull, unavailable } from "@/lib/errors";
import { log } from "@/lib/log";

/** The error to send to the client. Our own faults are logged as `what`; the response gives no details. */
export function refusalOf(thrown: unknown, what: string, id?: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isStorageFull(thrown)) return storageFull();
  if (isNotMigrated(thrown)) {
    log.error(
      { id },
      "the database has not been migrated, so it lacks tables: run npx tsx scripts/migrate.ts with its DATABASE_URL",
    );
    return unavailable();
  }
  if (isUnavailable(thrown)) {
    log.warn({ id, err: thrown }, "the database did not answer");
    return unavailable();
  }
  log.error({ id, err: thrown }, what);
  return isDamage(thrown) ? dataDamaged() : internal();
}
