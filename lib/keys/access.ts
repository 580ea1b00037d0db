import type { Caller } from "@/lib/accounts/identity/user";
import { db, type Statements, sql } from "@/lib/platform/db/client";
import { keyNotFound, notCreator } from "./errors";
import { callerAndKeyById, hasKey, type KeyRow, keyById } from "./queries";

/**
 * The key with the id in the path, for `endpoint`. `subject` throws 404 `key_not_found`. With the caller, it is one
 * statement: two cost 22 % of the reads of a key on PostgreSQL.
 */
export const keyInPath = {
  async withCaller(tokenHash: string, key: { id: string }) {
    const [row] = await sql.readQuickly(callerAndKeyById(tokenHash, key.id));
    const subject = (): KeyRow => {
      if (!row || !hasKey(row)) throw keyNotFound();
      return row;
    };
    if (!row) return { user: undefined, subject };
    const { callerId: id, username, role, disabledAt } = row;
    return { user: { id, username, role, disabledAt }, subject };
  },
  forCaller: (caller: Caller, key: { id: string }) => findKey(caller, key.id),
};

/** The key with this id for a caller who has been authenticated. Throws 404 `key_not_found`. */
export async function findKey(caller: Caller, keyId: string): Promise<KeyRow> {
  const [key] = await sql.readQuickly(keyById(caller.id, keyId));
  if (!key) throw keyNotFound();
  return key;
}

/** Whether the caller manages the key: its creator does, and an admin (contract, section 2). */
export function manages(caller: Caller, key: { creatorId: string }): boolean {
  return caller.id === key.creatorId || caller.role === "admin";
}

/** Why a manager's change had no effect: the key has another creator by now, or it was deleted. */
export async function staleKeyError(statements: Statements, keyId: string): Promise<Error> {
  return (await statements.key.count({ where: { id: keyId } })) > 0 ? notCreator() : keyNotFound();
}

/** Locks a key for its manager. Throws 403 `not_creator` if it was handed over meanwhile, 404 `key_not_found`. */
export async function lockManaged(tx: Statements, { id, creatorId }: Pick<KeyRow, "id" | "creatorId">): Promise<void> {
  const { count } = await tx.key.updateMany({ where: { id, creatorId }, data: { id } });
  if (count === 0) throw await staleKeyError(tx, id);
}

/** Throws 403 `not_creator` unless the caller manages the key. */
export function requireManager(caller: Caller, key: { creatorId: string }): void {
  if (!manages(caller, key)) throw notCreator();
}

/** The creator of the key with this id; null if there is no such key. */
export async function creatorOf(keyId: string): Promise<Caller | null> {
  const key = await db.key.findUnique({
    where: { id: keyId },
    select: { creator: { select: { id: true, username: true, role: true } } },
  });
  return key?.creator ?? null;
}

/** When the caller's access to a key ended, if it did and nobody extended it. Null for a hidden one. */
export async function endedFor({ id: userId }: Caller, keyId: string, now = new Date()): Promise<Date | null> {
  const ended = await db.holder.findFirst({
    where: { keyId, userId, hiddenAt: null, until: { lte: now } },
    select: { until: true },
  });
  return ended?.until ?? null;
}

/** The second of a time, as the API returns it. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
