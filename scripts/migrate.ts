// Migrates the configured database to the newest migration, and refuses a secret that is not the one it uses. `npm
// start` does this by itself.
import "./output.mjs";
import { checkSecrets } from "@/lib/operator/secrets";
import { closeDatabase, tryConnecting } from "@/lib/platform/db/client";
import { explainFailure } from "@/lib/platform/db/explain";
import { migrate } from "@/lib/platform/db/migrate";

try {
  await tryConnecting();
  const { from, applied } = await migrate();
  await checkSecrets("service");
  console.log(
    applied.length > 0
      ? `Migrated${from ? ` from ${from}` : ""}: ${applied.join(", ")}.`
      : "The database is up to date.",
  );
} catch (error) {
  console.error(explainFailure(error));
  process.exitCode = 1;
} finally {
  await closeDatabase();
}
