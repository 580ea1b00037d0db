import type { Caller } from "@/lib/accounts/identity/user";
import { type AuditEvent, auditTrail, countedEvents } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { db } from "@/lib/platform/db/client";
import { requireManager } from "./access";
import { keyNotFound } from "./errors";
import type { KeyRow } from "./queries";

interface TrailPage {
  limit: number;
  /** An event's id: only older ones. */
  before?: number;
}

/** The events of an existing key, newest first, for its manager. Throws 403 `not_creator`. */
export async function trailOf(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId">,
  { limit, before }: TrailPage,
): Promise<AuditEvent[]> {
  requireManager(caller, row);
  return auditTrail({ subjectId: row.id }, limit, before);
}

/** How many events about keys are counted, of the latest hours in which that was so. */
const COUNTED_HOURS = 5;
/** Events that say how many more there were, of all kinds, among which those of keys are looked for. */
const COUNTED_READ = 500;
/** Creators of one key, the latest first. */
const CREATORS_READ = 20;

/**
 * What the key's creators did to keys since this one exists, more often than events are recorded: the key's own may be
 * among them. Throws 403 `not_creator`.
 */
export async function countedChanges(
  caller: Caller,
  row: Pick<KeyRow, "id" | "creatorId" | "createdAt">,
): Promise<AuditEvent[]> {
  requireManager(caller, row);
  const before = await createdBy(row.id, CREATORS_READ);
  const events = await countedEvents([row.creatorId, ...before], COUNTED_READ);
  const ofKeys = events.filter(({ action, at }) => /^(?:key|claim)\./.test(action) && at >= row.createdAt);
  return ofKeys.slice(0, COUNTED_HOURS);
}

/**
 * The same for a deleted key, for its last creator. Throws 404 `key_not_found` if the caller did not, or nothing
 * is recorded of the key.
 */
export async function trailOfDeleted(
  caller: Caller,
  keyId: string,
  { limit, before }: TrailPage,
): Promise<AuditEvent[]> {
  // If its creation was only counted, its end may not be.
  const [creator = (await actorsOf(keyId, ["key.delete"], 1))[0]] = await createdBy(keyId, 1);
  if (!creator || (caller.role !== "admin" && creator !== caller.id)) throw keyNotFound();
  return auditTrail({ subjectId: keyId }, limit, before);
}

/** Who created this key or accepted it, the latest first, of those that are recorded. */
const createdBy = (keyId: string, limit: number) => actorsOf(keyId, ["key.create", "key.accept"], limit);

async function actorsOf(keyId: string, actions: AuditAction[], limit: number): Promise<string[]> {
  const events = await db.auditEvent.findMany({
    where: { subjectId: keyId, action: { in: actions } },
    select: { actorId: true },
    orderBy: { id: "desc" },
    take: limit,
  });
  return events.flatMap(({ actorId }) => actorId ?? []);
}
