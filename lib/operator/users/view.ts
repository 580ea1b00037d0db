import { userNotFound } from "@/lib/accounts/errors";
import { usernameKey } from "@/lib/accounts/identity/user";
import { hasAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { filesSummary } from "@/lib/files/list";
import { db } from "@/lib/platform/db/client";
import {
  ownQuotasOf,
  QUOTA_COLUMNS,
  type QuotaName,
  type Quotas,
  quotasOf,
  settingQuotas,
} from "@/lib/platform/limits/quotas";
import { latestNow } from "@/lib/platform/time";

/** An account as the operator sees it: no secret, and no address. */
export interface ShownUser {
  id: string;
  username: string;
  role: string;
  createdAt: Date;
  /** Null: not disabled. */
  disabledAt: Date | null;
  /** It is being deleted. */
  deleting: boolean;
  password: boolean;
  /** To an hour. Null: never. */
  seenAt: Date | null;
  /** Exactly, now. */
  used: Quotas;
  quotas: Quotas;
  /** Null: the setting's. */
  own: Record<QuotaName, number | null>;
  settings: Quotas;
  sessions: number;
  tokens: number;
  passkeys: number;
  recoveryCodes: number;
  email: { verified: boolean; pending: boolean };
}

/** The user with this name, in any case. Throws 404 `user_not_found`. */
export async function showUser(username: string, now = new Date()): Promise<ShownUser> {
  const user = await db.user.findUnique({
    where: { usernameKey: usernameKey(username) },
    select: {
      id: true,
      username: true,
      role: true,
      createdAt: true,
      disabledAt: true,
      deletingAt: true,
      passwordHash: true,
      ...QUOTA_COLUMNS,
      summary: { select: { seenAt: true } },
    },
  });
  if (!user) throw userNotFound();
  const { id, createdAt, summary } = user;
  // Counted one by one: with the user, each would be counted for all users.
  const ofUser = { where: { userId: id } };
  const [sessions, tokens, passkeys, recoveryCodes, keys, files, email] = await Promise.all([
    db.session.count({ where: { userId: id, expiresAt: { gt: now }, createdAt: { lte: latestNow(now) } } }),
    db.accessToken.count(ofUser),
    db.passkey.count(ofUser),
    db.recoveryCode.count(ofUser),
    db.key.aggregate({ where: { creatorId: id }, _count: true, _sum: { dataBytes: true } }),
    filesSummary(id),
    hasAddress(id),
  ]);
  return {
    id,
    username: user.username,
    role: user.role,
    createdAt,
    disabledAt: user.disabledAt,
    deleting: user.deletingAt !== null,
    password: user.passwordHash !== null,
    seenAt: summary && summary.seenAt > createdAt ? summary.seenAt : null,
    used: {
      keys: keys._count,
      keyBytes: keys._sum.dataBytes ?? 0,
      fileBytes: files.bytes,
      entries: files.entries,
    },
    quotas: quotasOf(user),
    own: ownQuotasOf(user),
    settings: settingQuotas(),
    sessions,
    tokens,
    passkeys,
    recoveryCodes,
    email,
  };
}
