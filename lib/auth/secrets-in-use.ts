import { db } from "@/lib/db/client";
import { isUniqueViolation } from "@/lib/db/errors";
import { env } from "@/lib/env";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import { openToken } from "@/lib/tokens";

/** Where the secrets come from, for people. */
const place = () => (env.AUTH_SECRET ? "AUTH_SECRET" : secretFile());

/**
 * Throws an Error, whose message says what to do, unless every secret that this database needs is there. Under a wrong one no
 * token would work, no link would complete, and nobody would be told why. A service begins to use a secret that is new and
 * first; a `command` does so on a new database only, because a service that runs would not recognise what it makes.
 */
export async function checkSecrets(who: "service" | "command", now = new Date()): Promise<void> {
  const needed = (await db.secret.findMany()).map((row) => row.fingerprint);
  if (needed.length > 0 && !hasSecret()) throw new Error(`The secret ${secretFile()} is gone, and this database is used with it. ${WAY_OUT}`);
  const secrets = authSecrets();
  const known = secrets.map(fingerprint);
  if (!needed.every((one) => known.includes(one)) || (needed.length === 0 && !(await opensTokens())))
    throw new Error(`${place()} is not the secret that this database is used with. ${WAY_OUT}`);
  const first = fingerprint(secrets[0]);
  if (needed.includes(first)) return;
  if (needed.length > 0 && who === "command") throw new Error(`The first secret of ${place()} is new to this database: start the service with it first.`);
  await remember(first, now);
}

const WAY_OUT = "Put the former secret back, alone or behind the new one. If it is lost, the admin command secrets:rotate --lost gives every user a new token.";

/** A database of earlier versions does not say which secrets it needs; its tokens do. */
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

/** Writes down that something may be stored under this secret. */
async function remember(secret: string, now: Date): Promise<void> {
  try {
    await db.secret.create({ data: { fingerprint: secret, since: now } });
  } catch (error) {
    // Another process that starts was faster.
    if (!isUniqueViolation(error)) throw error;
  }
}
