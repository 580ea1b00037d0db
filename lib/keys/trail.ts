import { type AuditEvent, auditTrail } from "@/lib/audit";
import { db } from "@/lib/db/client";
import { keyNotFound } from "@/lib/errors";
import { type KeyRow, mustManage, type Viewer } from "./find";

/**
 * What happened to a key that exists, newest first, for who manages it. `before` is the id of an event: older ones only.
 * Throws 403 `not_creator`.
 */
export async function trailOf(viewer: Viewer, row: KeyRow, limit: number, before?: number): Promise<AuditEvent[]> {
  mustManage(viewer, row);
  return auditTrail({ subjectId: row.id }, limit, before);
}

/** The same for a key that is gone, for who managed it. Throws 404 `key_not_found` where the viewer did not, or nothing is known of it. */
export async function trailOfDeleted(viewer: Viewer, keyId: string, limit: number, before?: number): Promise<AuditEvent[]> {
  const managed = { subjectId: keyId, action: "key.create", actorId: viewer.role === "admin" ? undefined : viewer.id };
  if (!(await db.auditEvent.findFirst({ where: managed, select: { id: true } }))) throw keyNotFound();
  return auditTrail({ subjectId: keyId }, limit, before);
}
