import { env } from "@/lib/env";
import { hasSecret } from "@/lib/secrets";

/**
 * Refuses a configuration that is unsafe or cannot work. Throws an Error whose message is one sentence that says what
 * to set.
 */
export function checkConfiguration(): void {
  hasSecret();
  if (env.VERCEL && !env.DATABASE_URL)
    throw new Error("DATABASE_URL must be set on Vercel, which keeps no files: the address of a PostgreSQL database.");
  if (env.WEB_CONCURRENCY > 1 && !env.DATABASE_URL)
    throw new Error(
      "WEB_CONCURRENCY must be 1 with the embedded database, which belongs to one process: set " +
        "DATABASE_URL to a PostgreSQL database for more.",
    );
  if (env.NEXTAUTH_URL) return;
  const why = env.VERCEL
    ? "on Vercel"
    : (env.DATABASE_URL && "when DATABASE_URL is") || (env.SMTP_URL && "when SMTP_URL is");
  if (why)
    throw new Error(`NEXTAUTH_URL must be set ${why}: the address that people open, like https://keys.example.org.`);
}
