import { opensNewestDataKey } from "@/lib/platform/crypto/data-keys";
import { secretLocation } from "@/lib/platform/crypto/secret-source";
import { authSecrets, fingerprint, hasSecret } from "@/lib/platform/crypto/secrets";
import { openToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
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
