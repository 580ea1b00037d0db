import { db } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { opensNewestDataKey } from "@/lib/sealing/rotate";
import { secretPlace } from "@/lib/secret-source";
import { authSecrets, fingerprint, hasSecret } from "@/lib/secrets";
import { openToken } from "@/lib/tokens";

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
      `The secret ${secretPlace()} is missing, but this database needs it. ` +
        `${who === "command" ? GIVEN_TO_SERVICE : ""}${WAY_OUT}`,
    );
  const secrets = authSecrets();
  const known = secrets.map(fingerprint);
  const isKnown = needed.every((one) => known.includes(one)) && (needed.length > 0 || (await opensTokens()));
  if (!isKnown || !(await opensNewestDataKey()))
    throw new Error(`${secretPlace()} is not the secret that this database uses. ${WAY_OUT}`);
  const first = fingerprint(secrets[0]);
  if (needed.includes(first)) return;
  if (needed.length > 0 && who === "command")
    throw new Error(`The first secret of ${secretPlace()} is new to this database: start the service with it first.`);
  await remember(first, now);
}

const GIVEN_TO_SERVICE =
  "If systemd or a container gives it to the service, a command needs it too (docs/backups.md says how). ";

const WAY_OUT =
  "Put the former secret back, alone or behind the new one. If it is lost, the admin command " +
  "secrets:rotate --lost gives every user a new token, but nobody can read what is stored in keys and files.";

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
