import { audit, OPERATOR } from "@/lib/platform/audit";
import { db, transaction } from "@/lib/platform/db/client";
import { ApiError } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import type { ActorContext, NetworkContext } from "../context";
import { usernameKey } from "../identity/user";
import { checkUsername, createUser } from "./create";
import { countGuess } from "./limits";
import { badLink, hashSecret, isOpenLink, newLink } from "./one-time-link";

/** How many may be open at a time. */
const MAX_OPEN = 1_000;

/** What an invitation opens. */
export interface Invited {
  /** Null: the user chooses one. */
  username: string | null;
  role: "user" | "admin";
}

/**
 * A link of an administrator or the operator, with which somebody opens an account, also while sign-up is closed. It
 * works once, for 24 hours, until the next one is created for the same name. `origin`: as the administrator opened this
 * service; by default NEXTAUTH_URL. Throws as `checkUsername` does, 403 `invitation_limit`, and an Error if there is
 * no address at all.
 */
export async function createInvitation(
  { username, role }: Invited,
  { actorId = OPERATOR, origin, now = new Date() }: ActorContext & { origin?: string } = {},
): Promise<Invited & { link: string; expiresAt: Date }> {
  if (username !== null) await checkUsername(username);
  const { link, ...stored } = newLink("/invite", { now, origin });
  const id = newId();
  const key = username === null ? null : usernameKey(username);
  await transaction(async (tx) => {
    if (key !== null) await tx.invitation.deleteMany({ where: { usernameKey: key } });
    if ((await tx.invitation.count({ where: { expiresAt: { gt: now } } })) >= MAX_OPEN)
      throw new ApiError(
        403,
        "invitation_limit",
        `${MAX_OPEN} invitations are already open. Wait until some have been used or have expired.`,
      );
    await tx.invitation.create({ data: { id, username, usernameKey: key, role, ...stored } });
    const detail = { ...(username !== null && { user: username }), role };
    await audit({ at: now, action: "invitation.create", subjectId: id, actorId, detail }, tx);
  });
  return { username, role, link, expiresAt: stored.expiresAt };
}

/** What the invitation opens; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findInvitation(
  secret: string,
  { network, now = new Date() }: NetworkContext,
): Promise<Invited & { id: string }> {
  const guess = await countGuess(network);
  const invitation = await db.invitation.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now) },
    select: { id: true, username: true, role: true },
  });
  if (!invitation) throw badLink();
  await guess.refund();
  return { ...invitation, role: invitation.role === "admin" ? "admin" : "user" };
}

/**
 * Opens the account and uses the invitation up. The username is chosen by the user if the invitation has none. Returns
 * it. Throws as `createUser` does, and then the invitation can still be used; and as `findInvitation` does.
 */
export async function acceptInvitation(
  secret: string,
  chosen: { username: string; password: string },
  { network, now = new Date() }: NetworkContext,
): Promise<string> {
  const { id, username: reserved, role } = await findInvitation(secret, { network, now });
  const username = reserved ?? chosen.username;
  const consume: NonNullable<Parameters<typeof createUser>[0]["alongside"]> = async (tx, userId) => {
    const { count } = await tx.invitation.deleteMany({ where: { id, ...isOpenLink(now) } });
    if (count === 0) throw badLink();
    await audit({ at: now, action: "invitation.use", subjectId: id, actorId: userId, detail: { role } }, tx);
  };
  try {
    await createUser({ username, password: chosen.password, network, role, alongside: consume }, now);
  } catch (error) {
    if (reserved === null || !(error instanceof ApiError) || error.code !== "username_taken") throw error;
    // Perhaps by this very invitation.
    if ((await db.invitation.count({ where: { id } })) === 0) throw badLink();
    throw new ApiError(
      error.status,
      error.code,
      `The username ${reserved} has been taken in the meantime. Ask the operator of this service for another ` +
        "invitation.",
    );
  }
  return username;
}
