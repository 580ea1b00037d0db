import { z } from "zod";
import { audit } from "@/lib/platform/audit";
import { GIVE_UP_MS } from "@/lib/platform/bounds";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { BATCH, inBatches, lockSession, lockUser } from "@/lib/platform/db/lock";
import { ApiError, invalidParameter, notFound } from "@/lib/platform/errors";
import { limiter, networkLimiter } from "@/lib/platform/limits/limits";
import { DAY_MS } from "@/lib/platform/time";
import type { ActorContext, NetworkContext } from "../../context";
import { signedOut } from "../../errors";
import type { InSession } from "../../session/sessions";
import { countGuess, countMessage } from "../limits";
import { badLink, hashSecret, isOpenLink } from "../one-time-link";
import { namedNetwork, putMail } from "./outbox";
import { hasMail } from "./transport";

const HOUR = 3_600;
const MAX = 254;
/** A day for sending the message, and a day for its link. */
const PENDING_MS = 2 * DAY_MS;

/** Messages in an hour. */
const OF_ACCOUNT = 5;
const OF_NETWORK = 20;
const OF_MAILBOX = 5;

const limits = {
  account: limiter("verification messages of an account", OF_ACCOUNT, HOUR),
  network: networkLimiter("verification messages", OF_NETWORK, { seconds: HOUR }),
  mailbox: limiter("verification messages to an address", OF_MAILBOX, HOUR),
};

/** A user's address, and what became of the messages to it. */
export interface EmailOverview {
  /** The verified one. */
  address: string | null;
  /** One that is to be verified. */
  pending: string | null;
  /** The message to verify it was not sent at the first attempt: until when others follow. */
  triedUntil: Date | null;
  /** A message was given up, and none was sent since. */
  hasFailed: boolean;
}

/** The user's address; undefined if e-mail is not set up. */
export async function emailOf(userId: string): Promise<EmailOverview | undefined> {
  if (!hasMail()) return undefined;
  const [email, retried] = await Promise.all([
    db.emailAddress.findUnique({ where: { userId } }),
    db.mail.findFirst({ where: { userId, kind: "verification", attempts: { gt: 0 } }, select: { createdAt: true } }),
  ]);
  return {
    address: email?.address ?? null,
    pending: email?.pending ?? null,
    triedUntil: retried && new Date(retried.createdAt.getTime() + GIVE_UP_MS),
    hasFailed: Boolean(email?.failedAt),
  };
}

/** Whether the user has a verified address, and one that is not yet. */
export async function hasAddress(userId: string): Promise<{ verified: boolean; pending: boolean }> {
  const email = await db.emailAddress.findUnique({ where: { userId } });
  return { verified: Boolean(email?.address), pending: Boolean(email?.pending) };
}

/** The address as it is sent to: one, without a name, a comment or a line break. Throws 400 `invalid_parameter`. */
function checkAddress(input: string): string {
  const address = input.trim();
  if (address.length > MAX || !z.email().safeParse(address).success)
    throw invalidParameter("Enter an e-mail address, like name@example.org.", "address");
  return address;
}

/**
 * Sends a link to the address, with which the user verifies it. Until then, a verified one stays in use. Several
 * accounts may have the same address: a refusal would tell who has an account. Throws 400 `invalid_parameter`, 401
 * `signed_out`, 409 `address_verified` and 429 `rate_limited`.
 */
export async function enterAddress(
  { id: userId, sessionId }: InSession,
  input: string,
  { network, now = new Date() }: NetworkContext,
): Promise<void> {
  if (!hasMail()) throw notFound();
  const pending = checkAddress(input);
  await countMessage(limits, { accountKey: userId, network, address: pending });
  await transaction(async (tx) => {
    if (!(await lockSession(tx, { id: userId, sessionId }, now))) throw signedOut();
    const current = await tx.emailAddress.findUnique({ where: { userId } });
    if (current?.address === pending)
      throw new ApiError(409, "address_verified", "This address is already verified.", { field: "address" });
    const columns = { pending, hash: null, expiresAt: new Date(now.getTime() + PENDING_MS), failedAt: null };
    await tx.emailAddress.upsert({
      where: { userId },
      create: { userId, ...columns },
      update: columns,
    });
    await putVerification(tx, userId, now);
    await audit({ at: now, action: "email.add", subjectId: userId, actorId: userId }, tx);
  });
}

/** Sends another link to the address that waits for one; the former ends. Throws 404 `not_found` if none waits. */
export async function sendAgain(userId: string, { network, now = new Date() }: NetworkContext): Promise<void> {
  if (!hasMail()) throw notFound();
  const { pending } = (await db.emailAddress.findUnique({ where: { userId }, select: { pending: true } })) ?? {};
  if (!pending) throw notFound();
  await countMessage(limits, { accountKey: userId, network, address: pending });
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    const { count } = await tx.emailAddress.updateMany({
      where: { userId, pending },
      data: { hash: null, expiresAt: new Date(now.getTime() + PENDING_MS), failedAt: null },
    });
    if (count === 0) throw notFound();
    await putVerification(tx, userId, now);
  });
}

/** The latest is enough. */
async function putVerification(tx: Statements, userId: string, now: Date): Promise<void> {
  await tx.mail.deleteMany({ where: { userId, kind: "verification" } });
  await putMail(tx, { kind: "verification", userId, facts: {} }, now);
}

/**
 * Removes the user's addresses; with `onlyPending`, the one that is not yet verified. Links that were sent end. A
 * verified address is notified.
 */
export async function removeAddress(
  userId: string,
  { onlyPending = false, actorId = userId, now = new Date() }: ActorContext & { onlyPending?: boolean } = {},
): Promise<void> {
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    await (onlyPending ? forgetPending(tx, userId) : removeAll(tx, userId, { actorId, now }));
  }, "even on a full disk");
}

/** Removes the user's addresses within a transaction. Lock the user first. */
export async function removeAll(
  tx: Statements,
  userId: string,
  { actorId = userId, now = new Date() }: ActorContext,
): Promise<void> {
  await forgetPending(tx, userId);
  const email = await tx.emailAddress.findUnique({ where: { userId } });
  if (!email) return;
  await tx.emailAddress.delete({ where: { userId } });
  await tx.recoveryLink.deleteMany({ where: { userId, through: "email" } });
  if (email.address !== null && hasMail())
    await putMail(tx, { kind: "address removed", userId, address: email.address, facts: {} }, now);
  await audit({ at: now, action: "email.remove", subjectId: userId, actorId }, tx);
}

/** An address that its link would verify. */
interface AddressToVerify {
  userId: string;
  username: string;
  address: string;
}

/** What the link verifies; changes nothing. Throws 404 `bad_link` and 429 `rate_limited`. */
export async function findAddressToVerify(
  secret: string,
  { network, now = new Date() }: NetworkContext,
): Promise<AddressToVerify> {
  const guess = await countGuess(network);
  const email = await db.emailAddress.findUnique({
    where: { hash: hashSecret(secret), ...isOpenLink(now), user: { disabledAt: null } },
    select: { userId: true, pending: true, user: { select: { username: true } } },
  });
  if (!email?.pending) throw badLink();
  await guess.refund();
  return { userId: email.userId, username: email.user.username, address: email.pending };
}

/**
 * Takes the address of the signed-in user into use, and ends the link. Not for anybody else: whoever gets a message by
 * mistake could otherwise have links to set a new password sent there. A former address is notified, and links that
 * were sent there end. Throws 403 `other_account`, and as `findAddressToVerify` does.
 */
export async function verifyAddress(
  userId: string,
  secret: string,
  { network, now = new Date() }: NetworkContext,
): Promise<void> {
  const { address, ...owner } = await findAddressToVerify(secret, { network, now });
  if (owner.userId !== userId)
    throw new ApiError(403, "other_account", `Sign in as ${owner.username} in this browser, then open the link again.`);
  await transaction(async (tx) => {
    await lockUser(tx, userId);
    const email = await tx.emailAddress.findFirst({
      where: { hash: hashSecret(secret), pending: address, user: { disabledAt: null } },
    });
    if (!email) throw badLink();
    await tx.emailAddress.update({
      where: { userId },
      data: { address, verifiedAt: now, pending: null, hash: null, expiresAt: null, failedAt: null },
    });
    await tx.mail.deleteMany({ where: { userId, kind: "verification" } });
    await tx.recoveryLink.deleteMany({ where: { userId, through: "email" } });
    const facts = { network: namedNetwork(network.id) };
    if (email.address !== null)
      await putMail(tx, { kind: "address changed", userId, address: email.address, facts }, now);
    await audit({ at: now, action: "email.verify", subjectId: userId, actorId: userId }, tx);
  });
}

/** Forgets addresses that nobody verified in time, in small statements. Returns how many. */
export async function sweepAddresses(now = new Date()): Promise<number> {
  return inBatches(async () => {
    const expired = { pending: { not: null }, expiresAt: { lte: now } };
    const rows = await db.emailAddress.findMany({ where: expired, take: BATCH, select: { userId: true } });
    const among = { userId: { in: rows.map(({ userId }) => userId) }, ...expired };
    const { count } = await db.emailAddress.deleteMany({ where: { ...among, address: null } });
    const cleared = await db.emailAddress.updateMany({
      where: among,
      data: { pending: null, hash: null, expiresAt: null },
    });
    return count + cleared.count;
  });
}

/**
 * Forgets an address that is not yet verified, within a transaction that ends other ways in: its link would be another
 * one. Lock the user first.
 */
export async function forgetPending(tx: Statements, userId: string): Promise<void> {
  await tx.mail.deleteMany({ where: { userId, kind: "verification" } });
  await tx.emailAddress.deleteMany({ where: { userId, address: null } });
  await tx.emailAddress.updateMany({ where: { userId }, data: { pending: null, hash: null, expiresAt: null } });
}
