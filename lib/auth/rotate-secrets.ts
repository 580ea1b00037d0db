import { audit, OPERATOR } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { authSecrets, fingerprint } from "@/lib/secrets";
import { hashToken, mintToken, openToken, type StoredToken, storeToken } from "@/lib/tokens";

const USERS_AT_ONCE = 100;

/**
 * Stores every user's token under the first secret, so that the others can be taken away. Tokens stay what they are; with `replaceLost`, a
 * token that none of the secrets opens is replaced by a new one, else it is an Error. Can be repeated after a failure, and runs
 * beside a service that knows the first secret. Answers how many tokens were stored anew, and how many of them are new.
 */
export async function rotateSecrets(replaceLost: boolean, now = new Date()): Promise<{ users: number; newTokens: number }> {
  const done = { users: 0, newTokens: 0 };
  for (let after = ""; ; ) {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: USERS_AT_ONCE,
      select: { id: true, username: true, tokenHash: true, tokenSealed: true },
    });
    for (const user of users) {
      const token = open(user);
      if (token === null && !replaceLost) throw new Error(`The token of ${user.username} opens under none of the secrets.`);
      if (token !== null && hashToken(token) === user.tokenHash) continue;
      if (await replace(user, token === null ? mintToken(user.id).stored : storeToken(token, user.id), token === null, now)) {
        done.users++;
        if (token === null) done.newTokens++;
      }
    }
    const last = users.at(-1);
    if (!last) break;
    after = last.id;
  }
  await needFirstOnly(now);
  return done;
}

function open(user: { id: string; tokenSealed: string }): string | null {
  try {
    return openToken(user.tokenSealed, user.id);
  } catch {
    return null;
  }
}

/** False where the user got another token meanwhile. Links stay linked as long as the token is the same. */
function replace(user: { id: string; tokenHash: string }, stored: StoredToken, isNew: boolean, now: Date): Promise<boolean> {
  return transaction(async (tx) => {
    const { count } = await tx.user.updateMany({ where: { id: user.id, tokenHash: user.tokenHash }, data: { ...stored, ...(isNew && { tokenAt: now }) } });
    if (count === 0) return false;
    if (isNew) await audit({ at: now, action: "token.rotate", subjectId: user.id, actorId: OPERATOR }, tx);
    else await tx.linkCode.updateMany({ where: { userId: user.id, tokenHash: user.tokenHash }, data: { tokenHash: stored.tokenHash } });
    return true;
  });
}

async function needFirstOnly(now: Date): Promise<void> {
  const first = fingerprint(authSecrets()[0]);
  await transaction(async (tx) => {
    await tx.secret.deleteMany({ where: { fingerprint: { not: first } } });
    await tx.secret.upsert({ where: { fingerprint: first }, create: { fingerprint: first, since: now }, update: {} });
    await audit({ at: now, action: "secrets.rotate", subjectId: "secrets", actorId: OPERATOR }, tx);
  });
}
