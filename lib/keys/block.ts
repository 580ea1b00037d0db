import { type Caller, findUser } from "@/lib/accounts/identity/user";
import { auditEvents } from "@/lib/platform/audit";
import { db, type Statements, sql, transaction } from "@/lib/platform/db/client";
import { lockUser, rowLock } from "@/lib/platform/db/lock";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { deleteHoldings } from "./queries";

/** How many givers one user can block. */
const MAX_BLOCKED = 1_000;
/** Keys per transaction. */
const KEYS_AT_ONCE = 200;

/** A giver whose keys the user does not want. */
export interface BlockedGiver {
  username: string;
  since: Date;
}

/** Every giver the user blocks, latest first: 1,000 at most. */
export async function blockedGivers({ id }: { id: string }): Promise<BlockedGiver[]> {
  const blocks = await db.blockedGiver.findMany({
    where: { userId: id },
    select: { since: true, giver: { select: { username: true } } },
    orderBy: [{ since: "desc" }, { giverId: "asc" }],
    take: MAX_BLOCKED,
  });
  return blocks.map(({ since, giver }) => ({ username: giver.username, since }));
}

/**
 * From now on, the caller does not get this giver's keys. Adding the caller to one succeeds as before, and its list of
 * holders names the caller, who cannot see the key. With `andLeave`, the caller also leaves all keys of that giver.
 * Returns how many were left. Throws 404 `user_not_found`, 400 `invalid_parameter` for oneself, 403 `block_limit`.
 */
export async function blockGiver(
  caller: Caller,
  name: string,
  { andLeave = false, now = new Date() }: { andLeave?: boolean; now?: Date } = {},
): Promise<{ giver: string; left: number }> {
  const giver = await findUser(name);
  if (giver.id === caller.id) throw invalidParameter("You cannot block yourself.");
  await transaction(async (tx) => {
    await lockUser(tx, caller.id);
    if ((await tx.blockedGiver.count({ where: { userId: caller.id, giverId: { not: giver.id } } })) >= MAX_BLOCKED)
      throw new ApiError(403, "block_limit", `You can block ${MAX_BLOCKED} people at most. Unblock one first.`);
    const block = { userId: caller.id, giverId: giver.id };
    await tx.blockedGiver.upsert({ where: { userId_giverId: block }, create: { ...block, since: now }, update: {} });
  }, "even on a full disk");
  return { giver: giver.username, left: andLeave ? await removeFromKeys(caller, giver.id, { which: "held", now }) : 0 };
}

/**
 * The giver can give keys to the caller again. Keys given in the meantime were never held and still are not. Throws 404
 * `user_not_found`.
 */
export async function unblockGiver(caller: Caller, name: string, now = new Date()): Promise<void> {
  const giver = await findUser(name);
  await transaction(async (tx) => {
    await lockUser(tx, caller.id);
    await tx.blockedGiver.deleteMany({ where: { userId: caller.id, giverId: giver.id } });
  }, "even on a full disk");
  await removeFromKeys(caller, giver.id, { which: "hidden", now });
}

/** Removes the caller from a giver's keys, in batches, as if the caller left each. Returns how many there were. */
async function removeFromKeys(
  caller: Caller,
  giverId: string,
  { which, now }: { which: "held" | "hidden"; now: Date },
): Promise<number> {
  let left = 0;
  for (;;) {
    const some = await sql.write(async (tx) => {
      await tx.write(rowLock.user(caller.id));
      const keys = await tx.write(deleteHoldings(caller.id, giverId, { which, limit: KEYS_AT_ONCE }));
      const detail = { user: caller.username };
      const events = keys.map(({ keyId }) => ({
        at: now,
        action: "key.revoke" as const,
        subjectId: keyId,
        actorId: caller.id,
        detail,
      }));
      if (events.length > 0) await tx.write(auditEvents(...events));
      return keys;
    });
    // An access that had ended was no longer the caller's to leave.
    left += some.filter(({ until }) => until === null || until > now).length;
    if (some.length < KEYS_AT_ONCE) return left;
  }
}

/** Whether the user has blocked this creator. */
export async function hasBlocked(tx: Statements, userId: string, giverId: string): Promise<boolean> {
  return (await tx.blockedGiver.count({ where: { userId, giverId } })) > 0;
}
