import { isNotMigrated, isStorageFull, isUnavailable } from "@/lib/db/errors";
import { ApiError, storageFull, unavailable } from "@/lib/errors";
import { log } from "@/lib/log";

/** What went wrong, as the client is told: our own faults are logged as `what`, and say nothing. */
export function refusalOf(thrown: unknown, what: string, id?: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isStorageFull(thrown)) return storageFull();
  if (isNotMigrated(thrown)) {
    log.error({ id }, "the database has not been migrated, so it lacks tables: run npx tsx scripts/migrate.ts with its DATABASE_URL");
    return unavailable();
  }
  if (isUnavailable(thrown)) {
    log.warn({ id, err: thrown }, "the database did not answer");
    return unavailable();
  }
  log.error({ id, err: thrown }, what);
  return new ApiError(500, "internal", "Something went wrong on our side. Try again in a moment.");
}
