// Run by npm start before it builds: prints one sentence and exits with 1 if the configuration would be refused.

import { checkConfiguration } from "@/lib/configuration";
import { makeDataFolder } from "@/lib/data-folder";
import { env } from "@/lib/env";

try {
  checkConfiguration();
  if (!env.DATABASE_URL) makeDataFolder();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
