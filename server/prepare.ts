import { migrate } from "@/lib/db/migrate";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { authSecret } from "@/lib/secrets";

/** Refuses a configuration that would not be safe. Throws an Error whose message is one sentence that says what to set. */
export function checkConfiguration(): void {
  authSecret();
  if (env.VERCEL && !env.DATABASE_URL) throw new Error("DATABASE_URL must be set on Vercel, which keeps no files: the address of a PostgreSQL database.");
  if (env.NEXTAUTH_URL) return;
  const why = env.VERCEL ? "on Vercel" : env.DATABASE_URL && "when DATABASE_URL is";
  if (why) throw new Error(`NEXTAUTH_URL must be set ${why}: the address that people open, like https://keys.example.org.`);
}

/** Brings the database up to date. */
export async function prepareDatabase(): Promise<void> {
  const applied = await migrate();
  if (applied.length > 0) log.info({ applied }, "migrated the database");
}
