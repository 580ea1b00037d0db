// Run by npm start before it builds: prints one sentence and exits with 1 if the configuration would be refused.

import { checkConfiguration } from "@/lib/platform/crypto/secrets";
import { makeDataFolder } from "@/lib/platform/data-folder";
import { env } from "@/lib/platform/env";

try {
  checkConfiguration();
  if (!env.DATABASE_URL) makeDataFolder();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
