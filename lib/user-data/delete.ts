import { ownAccount } from "@/lib/accounts/errors";
import { requireOtherAdmin } from "@/lib/accounts/identity/role";
import { findUser, keepKind, usernameKey } from "@/lib/accounts/identity/user";
import { provePassword } from "@/lib/accounts/ways-in/confirm";
import { deleteAllFiles } from "@/lib/files/delete";
import { type FilesSummary, filesSummary } from "@/lib/files/list";
import { deleteClaimLinks } from "@/lib/keys/claims/sweep";
import { notEnded } from "@/lib/keys/until";
import { audit, auditAll, auditTrail } from "@/lib/platform/audit";
import { db, type Statements, sql, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import { invalidParameter } from "@/lib/platform/errors";
import { turnOfOthers } from "@/lib/platform/event-loop";
import type { Network } from "@/lib/platform/network/network";
import { deleteResultsOf } from "@/lib/platform/requests/results";
import { DAY_MS, later, latestNow } from "@/lib/platform/time";
import { holdersOfOthers, removeHolders } from "./queries";

/** How long users see which keys they lost with an account. */
const LOSS_NOTICE_MS = 30 * DAY_MS;

/** The quotas allow a user millions of holders: many keys with many holders each. */
const MAX_COUNTED = 20_000;

/** What is lost with a deleted account. */
export interface Losses {
  /** Keys the user created, and how many others hold one of them. */
  keys: number;
  /** Counted from at most `MAX_COUNTED` entries of holders; beyond that it is a lower bound. */
  holders: number;
  /** Keys that are offered to others, who have not decided yet. */
  offered: number;
  areMoreHolders: boolean;
  files: FilesSummary;
}

export async function lossesOf(userId: string): Promise<Losses> {
  const [keys, [counted], offered, files] = await Promise.all([
    db.key.count({ where: { creatorId: userId } }),
    sql.read(holdersOfOthers(userId, MAX_COUNTED)),
    db.keyOffer.count({ where: { key: { creatorId: userId } } }),
    filesSummary(userId),
  ]);
  return {
    keys,
    holders: counted?.holders ?? 0,
    offered,
    areMoreHolders: counted?.seen === MAX_COUNTED,
    files,
  };
}

/** A deleted account, and how many keys another user lost with it. */
export interface KeyLoss {
  creator: string;
  keys: number;
  at: Date;
}

/**
 * The keys of others that the user lost in the last 30 days because their creators deleted their accounts, latest
 * first.
 */
export async function keysLostBy(userId: string, now = new Date()): Promise<KeyLoss[]> {
  const events = await auditTrail(
    { subjectId: userId, action: "keys.lost", since: new Date(now.getTime() - LOSS_NOTICE_MS) },
    20,
  );
  return events.map(({ at, detail }) => ({ creator: detail.creator ?? "", keys: Number(detail.keys), at }));
}

/** Keys per transaction. */
const KEYS_AT_ONCE = 200;
/** Holders per statement: SQLite does nothing else meanwhile. */
const HOLDERS_AT_ONCE = 2_000;
/** A running deletion belongs to the process that began it for this long; then it counts as abandoned. */
const ABANDONED_MS = 10 * 60_000;

interface Leaving {
  id: string;
  username: string;
}

/**
 * Deletes the signed-in user's account for good: keys that the user created (for all who hold them), files, links,
 * sessions. It stops working immediately. Holders of the keys find a note among their keys. The name is never reused.
 * `confirmation` is what the user entered to confirm it. Throws 400 `invalid_parameter` for a different name, and as
 * `provePassword` does.
 */
export async function deleteAccount(
  user: Leaving & { sessionId: string },
  confirmation: { username: string; password: string },
  { network, now = new Date() }: { network: Network; now?: Date },
): Promise<void> {
  if (usernameKey(confirmation.username.trim()) !== usernameKey(user.username))
    throw invalidParameter("That isn't your username. Type it to confirm.", "username");
  await provePassword(user, confirmation.password, { network, now });
  await removeAccount(user, now);
}

/**
 * The same for an administrator or the operator, without the user's password. Does nothing to an account that is being
 * deleted already. Throws 404 `user_not_found`, 400 `invalid_parameter` for a different name, 409 `own_account` if it
 * is the administrator's own, and 409 `last_admin`.
 */
export async function deleteAccountAs(
  actorId: string,
  name: string,
  { confirmation, now = new Date() }: { confirmation: string; now?: Date },
): Promise<Pick<Leaving, "username">> {
  const { id, username } = await findUser(name);
  if (usernameKey(confirmation.trim()) !== usernameKey(username))
    throw invalidParameter(`That isn't the username. Type ${username} to confirm.`, "username");
  if (id === actorId) throw ownAccount("user.delete");
  await removeAccount({ id, username }, now, async (tx) => {
    await requireOtherAdmin(tx, id, actorId);
    await audit({ at: now, action: "user.delete", subjectId: id, actorId, detail: { user: username } }, tx);
  });
  return { username };
}

async function removeAccount(user: Leaving, now: Date, alongside?: (tx: Statements) => Promise<void>): Promise<void> {
  await evenOnFullDisk(async () => {
    await beginDeletion(user, now, alongside);
    await finishDeletion(user.id, now);
  });
}

/** Finishes deletions that a process began but did not complete. Returns how many. */
export async function sweepDeletions(now = new Date()): Promise<number> {
  const abandoned = await db.user.findMany({
    where: { OR: [{ deletingAt: { lt: later(now, -ABANDONED_MS) } }, { deletingAt: { gt: latestNow(now) } }] },
    select: { id: true },
  });
  for (const { id } of abandoned) await finishDeletion(id, now);
  return abandoned.length;
}

/** Blocks the account and notifies everybody who loses a key, in one step, so that nobody is notified twice. */
async function beginDeletion(
  { id, username }: Leaving,
  now: Date,
  alongside: (tx: Statements) => Promise<void> = async () => {},
): Promise<void> {
  await transaction(async (tx) => {
    await lockUser(tx, id);
    if ((await tx.user.count({ where: { id, deletingAt: null } })) === 0) return;
    await alongside(tx);
    await tx.user.update({ where: { id }, data: { deletingAt: now, disabledAt: now } });
    await keepKind(tx, id);
    await tx.session.deleteMany({ where: { userId: id } });
    const losing = await tx.holder.groupBy({
      by: ["userId"],
      where: { key: { creatorId: id }, userId: { not: id }, hiddenAt: null, ...notEnded(now) },
      _count: true,
    });
    for (let from = 0; from < losing.length; from += KEYS_AT_ONCE) {
      const notes = losing.slice(from, from + KEYS_AT_ONCE);
      await auditAll(
        notes.map(({ userId, _count }) => ({
          at: now,
          action: "keys.lost",
          subjectId: userId,
          actorId: id,
          detail: { creator: username, keys: String(_count) },
        })),
        tx,
      );
    }
  });
}

/** Removes what the account owns in batches, then the account. Idempotent, also when run concurrently. */
async function finishDeletion(id: string, now: Date): Promise<void> {
  while (await deleteSomeKeys(id, now));
  await deleteAllFiles(id);
  await deleteResultsOf(id);
  await transaction(async (tx) => {
    const [user] = await tx.user.findMany({ where: { id }, select: { usernameKey: true } });
    if (!user) return;
    await tx.retiredName.upsert({
      where: { usernameKey: user.usernameKey },
      create: { usernameKey: user.usernameKey, retiredAt: now },
      update: {},
    });
    await tx.linkCode.updateMany({ where: { userId: id, sealed: { not: null } }, data: { sealed: null } });
    await tx.mail.deleteMany({ where: { nameKey: user.usernameKey } });
    await tx.user.delete({ where: { id } });
    // With the networks that the user signed in from.
    const withNetworks = ["user.signin", "recovery.email", "recovery.use"];
    await tx.auditEvent.deleteMany({ where: { subjectId: id, action: { in: withNetworks } } });
    await audit({ at: now, action: "account.delete", subjectId: id, actorId: id }, tx);
  });
}

async function deleteSomeHolders(keyIds: string[]): Promise<number> {
  return (await sql.batch([removeHolders(keyIds, HOLDERS_AT_ONCE)])).length;
}

async function deleteSomeKeys(creatorId: string, now: Date): Promise<boolean> {
  const keys = await db.key.findMany({ where: { creatorId }, select: { id: true, name: true }, take: KEYS_AT_ONCE });
  if (keys.length === 0) return false;
  // First, because a key may have thousands of holders, which one statement would delete with it.
  while ((await deleteSomeHolders(keys.map(({ id }) => id))) > 0) await turnOfOthers();
  await deleteClaimLinks(keys.map(({ id }) => id));
  await transaction(async (tx) => {
    await tx.key.deleteMany({ where: { id: { in: keys.map(({ id }) => id) } } });
    await auditAll(
      keys.map(({ id, name }) => ({
        at: now,
        action: "key.delete",
        subjectId: id,
        actorId: creatorId,
        detail: { name },
      })),
      tx,
    );
  });
  return true;
}
