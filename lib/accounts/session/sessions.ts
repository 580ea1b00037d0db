import { audit, OPERATOR } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { deleteInBatches, lockUser, openAt } from "@/lib/platform/db/lock";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import { newId } from "@/lib/platform/ids";
import { claimsIn, countedAs, isBehindProxy, type Network } from "@/lib/platform/network/network";
import { DAY_MS } from "@/lib/platform/time";
import type { ActorContext } from "../context";
import { passkeyHost } from "../identity/relying-party";
import { type Caller, findUser, type ProviderIdentity } from "../identity/user";

/** For how long a user sees where the account was signed in. */
const SIGN_IN_DAYS = 90;
/** Sign-ins remembered per user. */
const MAX_SIGN_INS = 500;

/**
 * Whether the account was signed in from this network, as far as its user sees that: the strangers who guess its
 * password are elsewhere. The same work for nobody.
 */
export async function hasSignedInFrom(userId: string, network: string): Promise<boolean> {
  return (await db.auditEvent.count({ where: { subjectId: userId, action: "user.signin", network }, take: 1 })) > 0;
}

/** What a session is opened with: the browser and the id of its network, which the user sees. */
interface SessionOrigin {
  userAgent: string;
  network: string;
  now?: Date;
}

/**
 * Records a sign-in in the user's history, with its network and browser. Forgets those of more than 90 days ago, and
 * all but the latest 500: networks of users are not an archive.
 */
async function recordSignIn(
  tx: Statements,
  userId: string,
  { userAgent, network, now }: Required<SessionOrigin>,
): Promise<void> {
  const signIns = { subjectId: userId, action: "user.signin" };
  const beyond = await tx.auditEvent.findFirst({
    where: signIns,
    orderBy: { id: "desc" },
    skip: MAX_SIGN_INS - 1,
    select: { id: true },
  });
  const old = { at: { lt: new Date(now.getTime() - SIGN_IN_DAYS * DAY_MS) } };
  await tx.auditEvent.deleteMany({
    where: { ...signIns, OR: beyond ? [old, { id: { lte: beyond.id } }] : [old] },
  });
  const detail = { network, program: userAgent.slice(0, 200) };
  await audit({ at: now, action: "user.signin", subjectId: userId, actorId: userId, detail }, tx);
}

export const SESSION_SECONDS = 30 * 24 * 3600;
/** Sessions per user: one more signs out the oldest, so that the list and its rows stay short. */
export const MAX_SESSIONS = 100;
/** For a session that has no proof yet. */
const NEVER = new Date(0);

/** A user who has just signed in, and with what: the hash of the password, the passkey, or a provider's account. */
export interface Proven {
  id: string;
  passwordHash?: string;
  passkeyId?: string;
  identity?: ProviderIdentity;
}

/**
 * Creates a session: the row that a cookie names. Returns null if the account was disabled, its password changed, or
 * the passkey or the provider removed since it was checked. A changed password must end every session of the old one,
 * and a recovery those of everybody else. A provider may ask for nothing, so signing in there is no recent proof for a
 * user who has a password or a passkey.
 */
export async function openSession(
  { id: userId, passwordHash, passkeyId, identity }: Proven,
  { userAgent, network, now = new Date() }: SessionOrigin,
): Promise<string | null> {
  const id = newId();
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  return transaction(async (tx) => {
    await lockUser(tx, userId);
    const passkeys = passkeyId === undefined ? undefined : { some: { id: passkeyId } };
    const identities = identity && { some: identity };
    const where = { id: userId, disabledAt: null, passwordHash, passkeys, identities };
    if ((await tx.user.count({ where })) === 0) return null;
    const provenAt = identity && (await hasOwnProof(tx, userId)) ? NEVER : null;
    await tx.session.create({
      data: { id, userId, createdAt: now, expiresAt, userAgent: userAgent.slice(0, 200), network, provenAt },
    });
    await recordSignIn(tx, userId, { userAgent, network, now });
    const order = [{ createdAt: "desc" as const }, { id: "asc" as const }];
    const beyond = await tx.session.findMany({
      where: { userId, id: { not: id } },
      orderBy: order,
      skip: MAX_SESSIONS - 1,
      take: 100,
      select: { id: true },
    });
    if (beyond.length > 0) await tx.session.deleteMany({ where: { id: { in: beyond.map((old) => old.id) } } });
    return id;
  }, "even on a full disk");
}

async function hasOwnProof(tx: Statements, userId: string): Promise<boolean> {
  const { passwordHash } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { passwordHash: true } });
  if (passwordHash !== null) return true;
  const host = passkeyHost();
  return host !== null && (await tx.passkey.count({ where: { userId, host } })) > 0;
}

/**
 * Whether this session was opened on another network than this one; false where networks are unknown. Whoever writes
 * headers of a proxy hides where they are, but not that the session was opened somewhere known. Of two networks behind
 * proxies that nobody configured, headers claim the client: one can add claims, but not remove those of the proxy.
 */
export async function isOpenedElsewhere(sessionId: string, { id, kind }: Network): Promise<boolean> {
  if (kind === "unknown") return false;
  const session = await db.session.findUnique({ where: { id: sessionId }, select: { network: true } });
  const opened = session?.network;
  if (kind !== "shared" || (opened && !isBehindProxy(opened))) return opened !== id;
  if (!opened) return false;
  const [claimed, before] = [claimsIn(id), claimsIn(opened)];
  // Of several proxies of the operator, any may come next.
  const [proxy, former] = [countedAs(id), countedAs(opened)];
  if (before.length === 0) return proxy !== former && !(isBehindProxy(proxy) && isBehindProxy(former));
  return !before.every((claim) => claimed.includes(claim));
}

/** The user of this session, or null if it ended or expired, or if the account was disabled. */
export async function sessionUser(sessionId: string, now = new Date()): Promise<Caller | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId, ...openAt(now) },
    select: { user: { select: { id: true, username: true, role: true } } },
  });
  return session?.user ?? null;
}

/** Throws if no session can be ended now, because the database is away. */
export async function requireSessions(): Promise<void> {
  await db.session.count({ where: { id: "" } });
}

/** Signs one browser out. */
export async function closeSession(sessionId: string): Promise<void> {
  await evenOnFullDisk(async () => {
    await db.session.deleteMany({ where: { id: sessionId } });
  });
}

export interface OpenSession {
  id: string;
  /** When it was signed in. */
  since: Date;
  userAgent: string;
  /** The network it was signed in from; null if not stored. */
  network: string | null;
}

/** Every browser in which the user is signed in, the latest first. */
export async function sessionsOf(userId: string, now = new Date()): Promise<OpenSession[]> {
  const sessions = await db.session.findMany({
    where: { userId, ...openAt(now) },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
    take: MAX_SESSIONS,
  });
  return sessions.map(({ id, createdAt, userAgent, network }) => ({ id, since: createdAt, userAgent, network }));
}

/**
 * Signs the user out in one browser. Does nothing if the session is not the user's. What somebody else did is in the
 * audit trail.
 */
export async function endSession(
  userId: string,
  sessionId: string,
  { actorId = userId, now = new Date() }: ActorContext = {},
): Promise<void> {
  await transaction(async (tx) => {
    const { count } = await tx.session.deleteMany({ where: { id: sessionId, userId } });
    if (count === 0 || actorId === userId) return;
    const detail = { which: "one" };
    await audit({ at: now, action: "user.signout", subjectId: userId, actorId, detail }, tx);
  }, "even on a full disk");
}

/** An administrator or the operator signs a user out in every browser. Throws 404 `user_not_found`. */
export async function endAllSessions(
  username: string,
  { actorId = OPERATOR, now = new Date() }: ActorContext = {},
): Promise<void> {
  const { id } = await findUser(username);
  await transaction(async (tx) => {
    await endSessions(tx, id);
    await audit({ at: now, action: "user.signout", subjectId: id, actorId }, tx);
  }, "even on a full disk");
}

/** Signs the user out everywhere else. */
export async function endOtherSessions(user: { id: string; sessionId: string }): Promise<void> {
  await evenOnFullDisk(() => endSessions(db, user.id, user.sessionId));
}

/** Removes the rows of expired sessions. Returns how many. */
export const sweepSessions = (now = new Date()): Promise<number> =>
  deleteInBatches((tx, limit) => tx.session.deleteMany({ where: { expiresAt: { lte: now } }, limit }));

/** A user in one of their browsers. */
export interface InSession {
  id: string;
  sessionId: string;
}

/** Signs a user out everywhere, except in the named session. */
export async function endSessions(statements: Statements, userId: string, exceptSessionId?: string): Promise<void> {
  await statements.session.deleteMany({
    where: { userId, NOT: exceptSessionId === undefined ? undefined : { id: exceptSessionId } },
  });
}
