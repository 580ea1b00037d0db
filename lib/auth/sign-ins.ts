import { audit } from "@/lib/audit";
import { db, type Statements } from "@/lib/db/client";

const DAY_MS = 24 * 60 * 60_000;
/** For how long a user sees where the account was signed in. */
const KEPT_DAYS = 90;
/** Sign-ins remembered per user. */
const MOST_KEPT = 500;

/**
 * Whether the account was signed in from this network, as far as its user sees that: the strangers who guess its
 * password are elsewhere. The same work for nobody.
 */
export async function hasSignedInFrom(userId: string, network: string): Promise<boolean> {
  return (await db.auditEvent.count({ where: { subjectId: userId, action: "user.signin", network }, take: 1 })) > 0;
}

/**
 * Records a sign-in in the user's history, with its network and browser. Forgets those of more than 90 days ago, and
 * all but the latest 500: networks of users are not an archive.
 */
export async function recordSignIn(
  tx: Statements,
  userId: string,
  { userAgent, network }: { userAgent: string; network: string },
  now: Date,
): Promise<void> {
  const signIns = { subjectId: userId, action: "user.signin" };
  const beyond = await tx.auditEvent.findFirst({
    where: signIns,
    orderBy: { id: "desc" },
    skip: MOST_KEPT - 1,
    select: { id: true },
  });
  const old = { at: { lt: new Date(now.getTime() - KEPT_DAYS * DAY_MS) } };
  await tx.auditEvent.deleteMany({
    where: { ...signIns, OR: beyond ? [old, { id: { lte: beyond.id } }] : [old] },
  });
  const detail = { network, program: userAgent.slice(0, 200) };
  await audit({ at: now, action: "user.signin", subjectId: userId, actorId: userId, detail }, tx);
}
