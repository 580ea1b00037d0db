import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import type { Caller } from "./caller";
import { endSessions } from "./users";

export const SESSION_SECONDS = 30 * 24 * 3600;

/** A session as a row: what a cookie names. */
export async function openSession(userId: string, userAgent: string, now = new Date()): Promise<string> {
  const id = newId();
  const expiresAt = new Date(now.getTime() + SESSION_SECONDS * 1000);
  await db.session.create({ data: { id, userId, createdAt: now, expiresAt, userAgent: userAgent.slice(0, 200) } });
  return id;
}

/** Whose session this is, or null where it ended, expired, or the account was disabled. */
export async function sessionUser(sessionId: string, now = new Date()): Promise<Caller | null> {
  const session = await db.session.findUnique({
    where: { id: sessionId, expiresAt: { gt: now }, user: { disabledAt: null } },
    select: { user: { select: { id: true, username: true, role: true } } },
  });
  return session?.user ?? null;
}

/** Signs one browser out. */
export async function closeSession(sessionId: string): Promise<void> {
  await db.session.deleteMany({ where: { id: sessionId } });
}

/** Signs the user out everywhere else. */
export async function endOtherSessions(user: { id: string; sessionId: string }): Promise<void> {
  await endSessions(db, user.id, user.sessionId);
}

/** Removes the rows of sessions that expired. */
export async function sweepSessions(now = new Date()): Promise<void> {
  await db.session.deleteMany({ where: { expiresAt: { lte: now } } });
}
