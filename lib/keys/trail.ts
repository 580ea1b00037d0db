import { type AuditEvent, auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { keyNotFound } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { requireManager } from "./find";
import type { KeyRow } from "./rows";

/**
 * The events of an existing key, newest first, for its manager. `before` is an event's id: only older ones. Throws 403
 * `not_creator`.
 */
export async function trailOf(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId">,
  limit: number,
  before?: number,
): Promise<AuditEvent[]> {
  requireManager(caller, row);
  return auditTrail({ subjectId: row.id }, limit, before);
}

/**
 * The same for a deleted key, for its last creator. Throws 404 `key_not_found` if the caller did not, or nothing
 * is known of the key.
 */
export async function trailOfDeleted(
  caller: Caller,
  keyId: string,
  limit: number,
  before?: number,
): Promise<AuditEvent[]> {
  const creator = await db.auditEvent.findFirst({
    where: { subjectId: keyId, action: { in: ["key.create", "key.accept"] } },
    select: { actorId: true },
    orderBy: { id: "desc" },
  });
  if (!creator || (caller.role !== "admin" && creator.actorId !== caller.id)) throw keyNotFound();
  return auditTrail({ subjectId: keyId }, limit, before);
}
