import { type Caller, findUser } from "@/lib/accounts/user";
import { type AuditAction, audit, by } from "@/lib/platform/audit";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import { isShareUsedUp } from "@/lib/platform/limits/events";
import { findKey, lockManaged, requireManager } from "./access";
import { listedOf, requireHolderQuota, writeHolder } from "./grant";
import type { KeyRow } from "./queries";

/** An access that was revoked. */
export interface Revocation {
  keyId: string;
  username: string;
}

/** How many users hold their key again, and why one was refused, if any. */
export interface Restored {
  restored: number;
  refused?: string;
}

/** Undoes these revocations, one after another, each regardless of the others, as `restoreHolder` does. */
export async function restoreHolders(caller: Caller, revoked: Revocation[]): Promise<Restored> {
  let restored = 0;
  let refused: string | undefined;
  for (const { keyId, username } of revoked)
    try {
      await restoreHolder(caller, await findKey(caller, keyId), username);
      restored++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refused = error.message;
    }
  return { restored, ...(refused !== undefined && { refused }) };
}

/**
 * The user holds the key again, since and until when they did before the caller revoked it within the last hour. A user
 * who has blocked the key's creator does not get it, as when added. Throws 409 `access_changed` if that was not the
 * last change of this access, and as `addHolder` does.
 */
async function restoreHolder(caller: Caller, row: KeyRow, name: string): Promise<void> {
  const target = await findUser(name);
  requireManager(caller, row);
  await transaction(async (tx) => {
    await lockManaged(tx, row);
    await lockUser(tx, target.id);
    const now = new Date();
    const access = await accessRevokedBy(tx, caller, { keyId: row.id, username: target.username, now });
    if (!access || (await listedOf(tx, row.id, target.id)))
      throw new ApiError(
        409,
        "access_changed",
        `The access of ${target.username} can no longer be restored as it was. Add them again.`,
      );
    await requireHolderQuota(tx, row, { userId: target.id, now, isListed: false });
    await writeHolder(tx, row, { userId: target.id, listed: null, next: access.until, since: access.since, now });
    const detail = { user: target.username, ...(access.until && { until: access.until.toISOString() }) };
    await audit({ at: now, action: "key.add", subjectId: row.id, ...by(caller, detail) }, tx);
  });
}

const CHANGES: AuditAction[] = ["key.add", "key.until", "key.revoke", "claim.use"];
const UNDO_MS = 3_600_000;

/** What `revokeHolder` recorded of the access that it ended, if nobody has changed this access since. */
async function accessRevokedBy(
  tx: Statements,
  { id: actorId }: Caller,
  { keyId, username, now }: Revocation & { now: Date },
): Promise<{ since: Date; until: Date | null } | null> {
  // What is only counted may have come after the last that is recorded, and nobody knows what it was.
  if (CHANGES.some((action) => isShareUsedUp({ actorId, action, at: now }))) return null;
  const named = JSON.stringify({ user: username }).slice(1, -1);
  const events = await tx.auditEvent.findMany({
    where: { subjectId: keyId, action: { in: CHANGES }, detail: { contains: named } },
    orderBy: { id: "desc" },
    // In a pattern, an underscore is any character: some may be about others.
    take: 20,
  });
  const last = events.find(({ detail }) => detail.includes(named));
  if (last?.action !== "key.revoke" || last.actorId !== actorId || last.at.getTime() <= now.getTime() - UNDO_MS)
    return null;
  const { since, until }: Record<string, string | undefined> = JSON.parse(last.detail);
  return since ? { since: new Date(since), until: until ? new Date(until) : null } : null;
}
