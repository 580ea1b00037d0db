import { audit, OPERATOR } from "@/lib/platform/audit";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { notFound, unavailable } from "@/lib/platform/errors";
import { limiter, networkLimiter } from "@/lib/platform/limits/limits";
import { limitedAs } from "@/lib/platform/network/network";
import type { ActorContext, NetworkContext } from "../../context";
import { accountDisabled } from "../../errors";
import { findUser, usernameKey } from "../../identity/user";
import { rememberedBrowser } from "../../session/remembered-browser";
import { countGuess, countMessage } from "../limits";
import { namedNetwork, putMail } from "../mail/outbox";
import { hasMail } from "../mail/transport";
import { badLink, hashSecret, isOpenLink, newLink } from "../one-time-link";

/**
 * A link of an administrator or the operator, with which a user sets a new password. It works once, for 24 hours, until
 * the next one is created for the same user. `origin`: as the administrator opened this service; by default
 * NEXTAUTH_URL. Throws 404 `user_not_found`, 403 `account_disabled`, and an Error without either.
 */
export async function createRecoveryLink(
  name: string,
  { actorId = OPERATOR, origin, now = new Date() }: ActorContext & { origin?: string } = {},
): Promise<{ username: string; link: string; expiresAt: Date }> {
  const { id: userId, username } = await findUser(name);
  const { link, ...stored } = newLink("/recover/link", { now, origin });
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
  { network, now = new Date() }: NetworkContext,
): Promise<{ id: string; username: string; through: "link" | "email" }> {
  const guess = await countGuess(network);
  const stored = await db.recoveryLink.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now), user: { disabledAt: null } },
    select: { through: true, user: { select: { id: true, username: true } } },
  });
  if (!stored) throw badLink();
  await guess.refund();
  return { ...stored.user, through: deliveryOf(stored) };
}

/** Uses a user's link up. Returns how it came to its user, or null if it is not there, or no longer. */
export async function consumeRecoveryLink(
  tx: Statements,
  userId: string,
  { secret, now }: { secret: string; now: Date },
): Promise<"link" | "email" | null> {
  const where = { userId, hash: hashSecret(secret), ...isOpenLink(now) };
  const link = await tx.recoveryLink.findFirst({ where, select: { through: true } });
  if (!link || (await tx.recoveryLink.deleteMany({ where })).count === 0) return null;
  return deliveryOf(link);
}

const deliveryOf = ({ through }: { through: string }) => (through === "email" ? "email" : "link");

const HOUR = 3_600;
const PER_HOUR = 3;
const OF_NETWORK_PER_HOUR = 20;
/** Names that may wait for a link, whether they exist or not. */
const MAX_WAITING_NAMES = 10_000;
const MAX_NAME = 40;
/** Nobody's cookie, so that a name without an account takes the same work. */
const NOBODY = { id: "", passwordHash: null };

const ofNetwork = networkLimiter("recovery messages", OF_NETWORK_PER_HOUR, { seconds: HOUR });
const ofBrowser = limiter("recovery messages of a browser", PER_HOUR, HOUR);
const ofNameHere = networkLimiter("recovery messages of a name and network", PER_HOUR, {
  seconds: HOUR,
  isWide: false,
});
/** If networks are unknown, a low limit would let anybody use it up. */
const ofNameAnywhere = networkLimiter("recovery messages of a name anywhere", 10 * PER_HOUR, {
  seconds: HOUR,
  isWide: false,
});

/**
 * Requests a recovery link by e-mail. The same work and the same response for a user, for one without a verified
 * address, for a disabled account and for nobody: which of them it is, is found out later, when messages are sent. No
 * stranger uses up what the user may request: each network counts apart, and a browser that signed in before (`cookie`)
 * has its own count. Throws 429 `rate_limited`.
 */
export async function requestRecovery(
  username: string,
  { network, cookie, now = new Date() }: NetworkContext & { cookie?: string },
): Promise<void> {
  if (!hasMail()) throw notFound();
  const nameKey = usernameKey(username.trim()).slice(0, MAX_NAME);
  const user = await db.user.findUnique({ where: { usernameKey: nameKey }, select: { id: true, passwordHash: true } });
  const browser = rememberedBrowser(cookie, user ?? NOBODY);
  const { kind } = limitedAs(network);
  const ofName = kind === "remote" || kind === "local" ? ofNameHere : ofNameAnywhere;
  if (browser) await countMessage({ account: ofBrowser }, { accountKey: browser, network });
  else await countMessage({ accountHere: ofName, network: ofNetwork }, { accountKey: nameKey, network });
  if ((await db.mail.count({ where: { nameKey: { not: null } } })) >= MAX_WAITING_NAMES) throw unavailable();
  const facts = { network: namedNetwork(network.id), ...(browser && { isKnown: true }) };
  await putMail(db, { kind: "recovery", userId: null, nameKey, facts }, now);
}
