// Brings the configured database up to the newest migration, and refuses a secret that is not the one it is used with. `npm start`
// does so by itself.
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { closeDatabase, tryConnecting } from "@/lib/db/client";
import { explainFault } from "@/lib/db/explain";
import { migrate } from "@/lib/db/migrate";

try {
  await tryConnecting();
  const applied = await migrate();
  await checkSecrets("service");
  console.log(applied.length > 0 ? `Migrated: ${applied.join(", ")}.` : "The database is up to date.");
} catch (error) {
  console.error(explainFault(error) ?? (error as Error).message);
  process.exitCode = 1;
} finally {
  await closeDatabase();
}
