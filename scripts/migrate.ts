// Brings the configured database up to the newest migration. `npm start` does so by itself.
import { migrate } from "@/lib/db/migrate";

const applied = await migrate();
console.log(applied.length > 0 ? `Migrated: ${applied.join(", ")}.` : "The database is up to date.");
