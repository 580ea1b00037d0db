import { db } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { opensNewestDataKey } from "@/lib/sealing/rotate";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import { openToken } from "@/lib/tokens";

/** The source of the secrets, for people. */
const place = () => (env.AUTH_SECRET ? "AUTH_SECRET" : secretFile());

/**
 * Throws an Error, whose message says what to do, unless every secret that this database needs is present. With a wrong
 * one, no token would work and no link would complete, without explanation. A service may start using a new first
 * secret. A `command` may do so only on a new database, because a running service would not recognise what the command
 * stores.
 */
export async function checkSecrets(who: "service" | "command", now = new Date()): Promise<void> {
  const needed = (await db.secret.findMany()).map((row) => row.fingerprint);
  if (needed.length > 0 && !hasSecret())
    throw new Error(`The secret ${secretFile()} is missing, but this database needs it. ${WAY_OUT}`);
  const secrets = authSecrets();
  const known = secrets.map(fingerprint);
  const isKnown = needed.every((one) => known.includes(one)) && (needed.length > 0 || (await opensTokens()));
  if (!isKnown || !(await opensNewestDataKey()))
    throw new Error(`${place()} is not the secret that this database uses. ${WAY_OUT}`);
  const first = fingerprint(secrets[0]);
  if (needed.includes(first)) return;
  if (needed.length > 0 && who === "command")
    throw new Error(`The first secret of ${place()} is new to this database: start the service with it first.`);
  await remember(first, now);
}

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
