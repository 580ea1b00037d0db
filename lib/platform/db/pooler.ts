import { createHash } from "node:crypto";
import { env } from "../env";
import { perProcess } from "../process";

const pooler = perProcess("pooler", (): { isBetween?: boolean } => ({}));

/**
 * Whether a connection pooler assigns each transaction to a different connection, so that nothing may depend on a
 * session: no prepared statement, lock or setting. DATABASE_POOLER says so, or a connection showed it; undefined if
 * not yet known.
 */
export function isBehindPooler(): boolean | undefined {
  return env.DATABASE_POOLER ?? pooler.isBetween;
}

export function noteIsPooled(isBetween: boolean): void {
  pooler.isBetween = isBetween;
}

const names = new Map<string, string>();

/**
 * The name of a prepared statement: a hash of its text, so that one name never means two statements, whoever prepared
 * it. Undefined if it must not be prepared. For texts that are the same each time they are used.
 */
export function statementName(text: string): string | undefined {
  if (isBehindPooler() !== false) return undefined;
  const cached = names.get(text);
  if (cached) return cached;
  const name = `latchkey ${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
