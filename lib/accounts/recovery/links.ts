import { audit, OPERATOR } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { accountDisabled, notFound, unavailable } from "@/lib/platform/errors";
import { limiter, networkLimiter } from "@/lib/platform/limits/limits";
import { limitedAs, type Network } from "@/lib/platform/network/network";
import { countGuess, countMessage } from "../limits";
import { namedNetwork, putMail } from "../mail/outbox";
import { hasMail } from "../mail/transport";
import { badLink, hashSecret, isOpenLink, newLink } from "../one-time-link";
import { knownBrowser } from "../sign-in";
import { findUser, usernameKey } from "../user";

/**
 * A link of an administrator or the operator, with which a user sets a new password. It works once, for 24 hours, until
 * the next one is made for the same user. `origin`: as the administrator opened this service; by default NEXTAUTH_URL.
 * Throws 404 `user_not_found`, 403 `account_disabled`, and an Error without either.
 */
export async function createRecoveryLink(
  name: string,
  actorId = OPERATOR,
  now = new Date(),
  origin?: string,
): Promise<{ username: string; link: string; expiresAt: Date }> {
  const { id: userId, username } = await findUser(name);
  const { link, ...stored } = newLink("/recover/link", now, origin);
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    if ((await tx.user.count({ where: { id: userId, disabledAt: null } })) === 0) throw accountDisabled();
    await tx.recoveryLink.deleteMany({ where: { userId, through: "operator" } });
    await tx.recoveryLink.create({ data: { userId, through: "operator", ...stored } });
    await audit({ at: now, action: "recovery.link", subjectId: userId, actorId, detail: { user: username } }, tx);
  });
  return { username, link, expiresAt: stored.expiresAt };
}

/** Whose link this is; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findRecoveryLink(
  secret: string,
  network: Network,
  now = new Date(),
): Promise<{ id: string; username: string; through: "link" | "email" }> {
  const guess = await countGuess(network);
  const found = await db.recoveryLink.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now), user: { disabledAt: null } },
    select: { through: true, user: { select: { id: true, username: true } } },
  });
  if (!found) throw badLink();
  await guess.giveBack();
  return { ...found.user, through: placeOf(found) };
}

/** Uses a user's link up. Returns how it came to its user, or null if it is not there, or no longer. */
export async function spendRecoveryLink(
  tx: Statements,
  userId: string,
  secret: string,
  now: Date,
): Promise<"link" | "email" | null> {
  const where = { userId, hash: hashSecret(secret), ...isOpenLink(now) };
  const link = await tx.recoveryLink.findFirst({ where, select: { through: true } });
  if (!link || (await tx.recoveryLink.deleteMany({ where })).count === 0) return null;
  return placeOf(link);
}

const placeOf = ({ through }: { through: string }) => (through === "email" ? "email" : "link");

const HOUR = 3_600;
const PER_HOUR = 3;
const OF_NETWORK_PER_HOUR = 20;
/** Names that may wait for an answer, whether they exist or not. */
const MAX_ASKED = 10_000;
const MAX_NAME = 40;
/** Nobody's cookie, so that a name without an account takes the same work. */
const NOBODY = { id: "", passwordHash: null };

const network = networkLimiter("recovery messages", OF_NETWORK_PER_HOUR, HOUR);
const ofBrowser = limiter("recovery messages of a browser", PER_HOUR, HOUR);
const ofNameHere = limiter("recovery messages of a name and network", PER_HOUR, HOUR);
/** If networks are unknown, a low limit would let anybody use it up. */
const ofNameAnywhere = limiter("recovery messages of a name anywhere", 10 * PER_HOUR, HOUR);

/**
 * Asks for a recovery link by e-mail. The same work and the same answer for a user, for one without a verified address,
 * for a disabled account and for nobody: which of them it is, is found out later, when messages are sent. No stranger
 * uses up what the user may ask: each network counts apart, and a browser that signed in before (`cookie`) has its own
 * count. Throws 429 `rate_limited`.
 */
export async function askForRecovery(
  username: string,
  from: Network,
  cookie?: string,
  now = new Date(),
): Promise<void> {
  if (!hasMail()) throw notFound();
  const nameKey = usernameKey(username.trim()).slice(0, MAX_NAME);
  const user = await db.user.findUnique({ where: { usernameKey: nameKey }, select: { id: true, passwordHash: true } });
  const browser = knownBrowser(cookie, user ?? NOBODY);
  const { kind, id } = limitedAs(from);
  const areKnown = kind === "remote" || kind === "local";
  if (browser) await countMessage({ account: ofBrowser }, browser, from);
  else await countMessage({ account: areKnown ? ofNameHere : ofNameAnywhere, network }, `${nameKey} ${id}`, from);
  if ((await db.mail.count({ where: { nameKey: { not: null } } })) >= MAX_ASKED) throw unavailable();
  const facts = { network: namedNetwork(from.id), ...(browser && { isKnown: true }) };
  await putMail(db, { kind: "recovery", userId: null, nameKey, facts }, now);
}
