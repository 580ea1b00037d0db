import { setTimeout as sleep } from "node:timers/promises";
import { audit, OPERATOR } from "@/lib/platform/audit";
import { addDataKeyAfter, currentDataKey, rotateDataKeys } from "@/lib/platform/crypto/data-keys";
import { dataKeys, type ResealingProgress } from "@/lib/platform/crypto/queries";
import { authSecrets, fingerprint } from "@/lib/platform/crypto/secrets";
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
import { db, sql, transaction } from "@/lib/platform/db/client";
import { PASSES, resealAll } from "./reseal";

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

const PAUSE_MS = 1_000;

/** What became of a rotation. */
interface Rotated {
  /** The number of the data key that everything is sealed under now. */
  dataKey: number;
  /** False: an earlier rotation, or the first sealing, was not complete yet, and now is. */
  isNew: boolean;
  keys: number;
  pieces: number;
}

/**
 * Makes a new data key and seals everything anew, while the service answers, to the end. That takes two minutes at
 * least (lib/operator/reseal). What is not complete from earlier is completed instead. May be stopped at any
 * time: the service continues, and so does the next call. `onProgress` gets the completed share, from 0 to 1.
 */
export async function rotateData(onProgress: (part: number) => void = () => {}, now = new Date()): Promise<Rotated> {
  const isNew = await makeDataKey(now);
  const users = await db.user.count();
  const progress = async ({ passes, resealedTo }: ResealingProgress) => {
    const done = await db.user.count({ where: { id: { lte: resealedTo } } });
    onProgress((passes + Math.min(1, done / Math.max(1, users))) / PASSES);
  };
  const all = { keys: 0, pieces: 0 };
  for (;;) {
    const { keys, pieces, left } = await resealAll(PAUSE_MS);
    all.keys += keys;
    all.pieces += pieces;
    const [newest] = await sql.read(dataKeys());
    if (newest && left === "nothing") return { dataKey: newest.id, isNew, ...all };
    if (newest) await progress(newest);
    if (left === "later") await sleep(PAUSE_MS);
  }
}

/** False if not everything is sealed under the newest one yet. */
async function makeDataKey(now: Date): Promise<boolean> {
  await currentDataKey();
  const [newest] = await sql.read(dataKeys());
  return newest?.resealedAt ? addDataKeyAfter(newest.id, now) : false;
}
