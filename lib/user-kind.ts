import type { Statements } from "@/lib/db/client";
import { usernameKey } from "@/lib/usernames";
import type { User } from "@/prisma/generated/sqlite/client";

/** What lists of users filter by, each a bit of `UserSummary.kind`. */
export const KIND = { admin: 1, disabled: 2, passwordless: 4 } as const;

type Facts = Pick<User, "role" | "disabledAt" | "passwordHash">;

/** The sum of what is true of the user. */
export const userKind = ({ role, disabledAt, passwordHash }: Facts): number =>
  (role === "admin" ? KIND.admin : 0) +
  (disabledAt === null ? 0 : KIND.disabled) +
  (passwordHash === null ? KIND.passwordless : 0);

/** A username as bytes, which both databases sort and compare alike. */
export const nameBytes = (name: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(usernameKey(name)));

/**
 * Brings the user's row for lists up to date, in the transaction that changed the role, the password or the access. A
 * new row counts nothing yet: the sweep of lib/account/summaries does.
 */
export async function keepKind(tx: Statements, userId: string): Promise<void> {
  const user = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { username: true, role: true, disabledAt: true, passwordHash: true, createdAt: true },
  });
  const { username, createdAt } = user;
  const kind = userKind(user);
  const nothing = { keys: 0, keyBytes: 0, fileBytes: 0, entries: 0, bytes: 0 };
  await tx.userSummary.upsert({
    where: { userId },
    create: { userId, kind, nameKey: nameBytes(username), createdAt, seenAt: createdAt, ...nothing },
    update: { kind },
  });
}
