import { type Statements, sql } from "@/lib/db/client";
import { keyNotFound, notCreator } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { callerAndKeyById, hasKey, type KeyRow, keyById } from "./rows";

/**
 * The key with the id in the path, for `endpoint`. `found` throws 404 `key_not_found`. With the caller, it is one
 * statement: two cost 22 % of the reads of a key on PostgreSQL.
 */
export const keyInPath = {
  async withCaller(tokenHash: string, key: { id: string }) {
    const [row] = await sql.readQuickly(callerAndKeyById(tokenHash, key.id));
    const found = (): KeyRow => {
      if (!row || !hasKey(row)) throw keyNotFound();
      return row;
    };
    if (!row) return { user: undefined, found };
    const { callerId: id, username, role, disabledAt } = row;
    return { user: { id, username, role, disabledAt }, found };
  },
  forCaller: (caller: Caller, key: { id: string }) => findKey(caller, key.id),
};

/** The key with this id for an already known caller. Throws 404 `key_not_found`. */
export async function findKey(caller: Caller, keyId: string): Promise<KeyRow> {
  const [key] = await sql.readQuickly(keyById(caller.id, keyId));
  if (!key) throw keyNotFound();
  return key;
}

/** Whether the caller manages the key: its creator does, and an admin (contract, section 2). */
export function manages(caller: Caller, key: { creatorId: string }): boolean {
  return caller.id === key.creatorId || caller.role === "admin";
}

/** Why a manager's change found nothing: the key was handed over to somebody else, or it was deleted. */
export async function lostKey(statements: Statements, keyId: string): Promise<Error> {
  return (await statements.key.count({ where: { id: keyId } })) > 0 ? notCreator() : keyNotFound();
}

/** Locks a key for its manager. Throws 403 `not_creator` if it was handed over meanwhile, 404 `key_not_found`. */
export async function lockManaged(tx: Statements, { id, creatorId }: Pick<KeyRow, "id" | "creatorId">): Promise<void> {
  const { count } = await tx.key.updateMany({ where: { id, creatorId }, data: { id } });
  if (count === 0) throw await lostKey(tx, id);
}

/** Throws 403 `not_creator` unless the caller manages the key. */
export function requireManager(caller: Caller, key: { creatorId: string }): void {
  if (!manages(caller, key)) throw notCreator();
}
