import { markSeen } from "@/lib/auth/rows";
import type { SqlTransaction } from "@/lib/db/client";
import { insert } from "@/lib/db/insert";
import { nameBytes, userKind } from "@/lib/user-kind";
import { documentsOf, factsOf, lastSignIns, tokenUses } from "./rows";

/** Users per statement: SQLite does nothing else meanwhile. */
export const USERS_AT_ONCE = 100;

const COUNTED = ["kind", "keys", "keyBytes", "fileBytes", "entries", "bytes"] as const;

/**
 * Counts what these users have, from what is stored, and writes it to their rows for lists. "Last seen" only grows.
 * Lock the sweep first: of two that count at once, the one that read first might write last.
 */
export async function recount(tx: SqlTransaction, userIds: Iterable<string>): Promise<number> {
  const ids = [...new Set(userIds)];
  for (let from = 0; from < ids.length; from += USERS_AT_ONCE)
    await recountSome(tx, ids.slice(from, from + USERS_AT_ONCE));
  return ids.length;
}

async function recountSome(tx: SqlTransaction, ids: readonly string[]): Promise<void> {
  const users = await tx.read(factsOf(ids));
  if (users.length === 0) return;
  const documents = new Map((await tx.read(documentsOf(ids))).map((one) => [one.userId, one]));
  const seen = new Map<string, Date>();
  for (const { userId, at } of [...(await tx.read(lastSignIns(ids))), ...(await tx.read(tokenUses(ids)))])
    if (at && at > (seen.get(userId) ?? at.getTime() - 1)) seen.set(userId, at);
  const rows = users.map(({ id, username, isPasswordless, createdAt, seenAt, keys, keyBytes, ...user }) => {
    const { bytes: fileBytes = 0, entries = 0 } = documents.get(id) ?? {};
    return {
      userId: id,
      kind: userKind({ ...user, passwordHash: isPasswordless ? null : "" }),
      nameKey: nameBytes(username),
      createdAt,
      seenAt: later(seenAt ?? createdAt, seen.get(id)),
      keys,
      keyBytes: keyBytes ?? 0,
      fileBytes,
      entries,
      bytes: (keyBytes ?? 0) + fileBytes,
    };
  });
  await tx.write(insert("UserSummary", rows, { unique: ["userId"], set: COUNTED }));
  for (const { id, seenAt } of users) {
    const last = seen.get(id);
    if (seenAt && last && last > seenAt) await tx.write(markSeen([id], last));
  }
}

const later = (one: Date, other: Date | undefined) => (other && other > one ? other : one);
