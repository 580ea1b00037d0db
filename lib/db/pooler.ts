import { createHash } from "node:crypto";
import type { ClientBase } from "pg";
import { env } from "@/lib/env";

/** One per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyPooler?: { isBetween: boolean } };

/**
 * Whether a connection pooler hands each transaction to another connection of the database, so that nothing may live in a session: no
 * prepared statement, lock or setting. DATABASE_POOLER says so, or `lookForPooler` found out; undefined where nobody knows yet.
 */
export function isBehindPooler(): boolean | undefined {
  return env.DATABASE_POOLER ?? perProcess.latchkeyPooler?.isBetween;
}

/** Finds out from a new connection: a pooler names a process of its own (PostgreSQL's protocol: BackendKeyData), not the one that answers. */
export async function lookForPooler(client: ClientBase): Promise<void> {
  if (isBehindPooler()) return;
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS "pid"');
  perProcess.latchkeyPooler = { isBetween: rows[0]?.pid !== Reflect.get(client, "processID") };
}

const names = new Map<string, string>();

/**
 * What a statement is prepared as: a hash of its text, so that under one name there is never another statement, whoever prepared it. Undefined
 * where it must not be prepared. For texts that are the same each time they are used.
 */
export function statementName(text: string): string | undefined {
  if (isBehindPooler() !== false) return undefined;
  const known = names.get(text);
  if (known) return known;
  const name = `latchkey ${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  names.set(text, name);
  return name;
}
