import { audit, OPERATOR } from "@/lib/platform/audit";
import { opensNewestDataKey, rotateDataKeys } from "@/lib/platform/crypto/data-keys";
import { secretLocation } from "@/lib/platform/crypto/secret-source";
import { authSecrets, fingerprint, hasSecret } from "@/lib/platform/crypto/secrets";
import { resealSigningKeys, rotateSigningKeys } from "@/lib/platform/crypto/signing-keys";
import {
  hashToken,
  mintToken,
  openAccessToken,
  openToken,
  type StoredToken,
  sealAccessToken,
  storeToken,
} from "@/lib/platform/crypto/tokens";
import { db, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";

/**
 * Throws an Error, whose message says what to do, unless every secret that this database needs is present. With a wrong
 * one, no token would work and no link would complete, without explanation. A service may start using a new first
 * secret. A `command` may do so only on a new database, because a running service would not recognise what the command
 * stores.
 */
export async function checkSecrets(who: "service" | "command", now = new Date()): Promise<void> {
  const needed = (await db.secret.findMany()).map((row) => row.fingerprint);
  if (needed.length > 0 && !hasSecret())
    throw new Error(
      `The secret ${secretLocation()} is missing, but this database needs it. ` +
        `${who === "command" ? SHARED_BY_SERVICE : ""}${REMEDY}`,
    );
  const secrets = authSecrets();
  const fingerprints = secrets.map(fingerprint);
  const isPresent = needed.every((one) => fingerprints.includes(one)) && (needed.length > 0 || (await opensTokens()));
  if (!isPresent || !(await opensNewestDataKey()))
    throw new Error(`${secretLocation()} is not the secret that this database uses. ${REMEDY}`);
  const first = fingerprint(secrets[0]);
  if (needed.includes(first)) return;
  if (needed.length > 0 && who === "command")
    throw new Error(
      `The first secret of ${secretLocation()} is new to this database: start the service with it first.`,
    );
  await remember(first, now);
}

const SHARED_BY_SERVICE =
  "If systemd or a container gives it to the service, commands need it too (see docs/backups.md). ";

const REMEDY =
  "Put the former secret back, alone or behind the new one. If it is lost, the admin command " +
  "secrets:rotate --lost gives every user a new token, but what is stored in keys and files stays unreadable.";

/** A database of earlier versions does not record which secrets it needs; its tokens show it. */
async function opensTokens(): Promise<boolean> {
  const user = await db.user.findFirst({ orderBy: { createdAt: "desc" }, select: { id: true, tokenSealed: true } });
  if (!user) return true;
  try {
    openToken(user.tokenSealed, user.id);
    return true;
  } catch {
    return false;
  }
}

/** Records that data may be stored under this secret. */
async function remember(secret: string, now: Date): Promise<void> {
  try {
    await db.secret.create({ data: { fingerprint: secret, since: now } });
  } catch (error) {
    // Another starting process was faster.
    if (!isUniqueViolation(error)) throw error;
  }
}

const USERS_AT_ONCE = 100;

/**
 * Stores every user's token, what links have sealed, the data keys and the signing keys under the first secret, so
 * that the others can be removed. Tokens and sealed data stay the same. If no secret opens a user's token, it is an
 * Error, or with `replaceLost` the token is replaced.
 * Can be repeated after a failure, and can run beside a service that knows the first secret. `onProgress` gets the
 * completed share of the users, from 0 to 1. Returns how many tokens were stored anew, and how many of them are
 * new; how many data keys were stored anew, and which ones no secret opens.
 */
export async function rotateSecrets(
  replaceLost: boolean,
  onProgress: (part: number) => void = () => {},
  now = new Date(),
): Promise<{ users: number; newTokens: number; dataKeys: number; signingKeys: number; lostDataKeys: number[] }> {
  const { open: dataKeys, lost } = await rotateDataKeys(replaceLost, now);
  const signingKeys = await resealSigningKeys(replaceLost, OPERATOR, now);
  const done = { users: 0, newTokens: 0, dataKeys: dataKeys.length, signingKeys, lostDataKeys: lost };
  const all = await db.user.count();
  let seen = 0;
  for (let after = ""; ; ) {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: USERS_AT_ONCE,
      select: { id: true, username: true, tokenHash: true, tokenSealed: true },
    });
    for (const user of users) {
      const token = opened(user);
      if (token === null && !replaceLost) throw new Error(`None of the secrets opens the token of ${user.username}.`);
      if (token !== null && hashToken(token) === user.tokenHash) continue;
      if (
        await replace(user, token === null ? mintToken(user.id).stored : storeToken(token, user.id), {
          isNew: token === null,
          now,
        })
      ) {
        done.users++;
        if (token === null) done.newTokens++;
      }
    }
    const last = users.at(-1);
    if (!last) break;
    seen += users.length;
    onProgress(seen / all);
    after = last.id;
  }
  await resealWaitingTokens();
  await needFirstOnly(now);
  return done;
}

/** Tokens of programs' own that were not collected yet: after that, only a hash is left, which needs no secret. */
async function resealWaitingTokens(): Promise<void> {
  const waiting = await db.accessToken.findMany({ where: { sealedUntil: { not: null } }, select: { id: true } });
  for (const { id } of waiting) {
    const link = await db.linkCode.findUnique({ where: { id }, select: { sealed: true } });
    if (!link?.sealed) continue;
    const { sealed } = link;
    await db.linkCode.updateMany({ where: { id, sealed }, data: { sealed: resealed(sealed, id) } });
  }
}

/** Null if no secret opens it: its program gets nothing, and its user links it again. */
function resealed(sealed: string, id: string): string | null {
  try {
    return sealAccessToken(openAccessToken(sealed, id), id);
  } catch {
    return null;
  }
}

function opened(user: { id: string; tokenSealed: string }): string | null {
  try {
    return openToken(user.tokenSealed, user.id);
  } catch {
    return null;
  }
}

/** False if the user got another token meanwhile. Links stay linked as long as the token is the same. */
function replace(
  user: { id: string; tokenHash: string },
  stored: StoredToken,
  { isNew, now }: { isNew: boolean; now: Date },
): Promise<boolean> {
  return transaction(async (tx) => {
    const { count } = await tx.user.updateMany({
      where: { id: user.id, tokenHash: user.tokenHash },
      data: { ...stored, ...(isNew && { tokenAt: now }) },
    });
    if (count === 0) return false;
    if (isNew) await audit({ at: now, action: "token.rotate", subjectId: user.id, actorId: OPERATOR }, tx);
    else
      await tx.linkCode.updateMany({
        where: { userId: user.id, tokenHash: user.tokenHash },
        data: { tokenHash: stored.tokenHash },
      });
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

/** Creates a new signing key for this administrator, or for the admin command. Returns its number. */
export function rotateSigning(actorId: string = OPERATOR): Promise<number> {
  return rotateSigningKeys(actorId);
}
