// Imported first: changes to the checkout's folder, and loads unset variables from .env.local, then from .env, as Next
// does.
import { existsSync } from "node:fs";
import { join } from "node:path";

process.chdir(join(import.meta.dirname, ".."));
for (const file of [".env.local", ".env"]) if (existsSync(file)) process.loadEnvFile(file);
