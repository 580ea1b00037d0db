import { db } from "@/lib/db/client";
import { isOpenLink } from "@/lib/one-time-links/one-time-link";

/** Which ways back a user has: recovery codes that are left, and an operator's link; never their secrets. */
export interface RecoveryOverview {
  codes: { left: number; createdAt: Date | null };
  link: { createdAt: Date; expiresAt: Date } | null;
}

/** The user's ways back. */
export async function recoveryOf(userId: string, now = new Date()): Promise<RecoveryOverview> {
  const [codes, link] = await Promise.all([
    db.recoveryCode.aggregate({ where: { userId }, _count: true, _max: { createdAt: true } }),
    db.recoveryLink.findUnique({
      where: { userId_through: { userId, through: "operator" }, ...isOpenLink(now) },
      select: { createdAt: true, expiresAt: true },
    }),
  ]);
  return { codes: { left: codes._count, createdAt: codes._max.createdAt }, link };
}
