import { setTimeout as sleep } from "node:timers/promises";
import { audit } from "@/lib/platform/audit";
import { durationInWords, GIVE_UP_MS, UNDISTURBED_MS } from "@/lib/platform/bounds";
import { db, transaction } from "@/lib/platform/db/client";
import { BATCH, inBatches, lockUser } from "@/lib/platform/db/lock";
import { limiter } from "@/lib/platform/limits/limits";
import { log } from "@/lib/platform/log";
import { countMail } from "@/lib/platform/metrics";
import { keepAwake, perProcess } from "@/lib/platform/process";
import { HOUR_MS, later, latestNow } from "@/lib/platform/time";
import type { EmailAddress, Mail } from "@/prisma/generated/sqlite/client";
import { mailedSecret, newLink } from "../one-time-link";
import {
  isNotice,
  type Letter,
  type MailFacts,
  type NoticeKind,
  noticeLetter,
  recoveryLetter,
  verificationLetter,
} from "./letters";
import { hasMail, type SendingProblem, sendLetter } from "./transport";

/** A message that can be sent. */
interface Addressed {
  userId: string;
  address: string;
  /** It goes to an address that the account no longer has. */
  isFormer: boolean;
  letter: Letter;
}

interface Recipient {
  id: string;
  username: string;
  disabledAt: Date | null;
  email: EmailAddress | null;
}

const RECIPIENT = { id: true, username: true, disabledAt: true, email: true } as const;

/** One of the times that a message is sent. */
interface Attempt {
  facts: MailFacts;
  now: Date;
}

/**
 * The words and the address of a stored message; null if nobody is to get it any more. Its one-time link is created
 * only now, and only the link's hash is stored, so that a stolen database gives none.
 */
async function addressed(mail: Mail, now: Date): Promise<Addressed | null> {
  const user = await recipientOf(mail);
  if (!user) return null;
  const facts: MailFacts = JSON.parse(mail.facts);
  switch (mail.kind) {
    case "recovery":
      return recovery(mail, user, { facts, now });
    case "verification":
      return verification(mail, user, { facts, now });
    default: {
      const address = mail.address ?? user.email?.address;
      const letter = noticeLetter(mail.kind as NoticeKind, user.username, { at: mail.createdAt, ...facts });
      return address ? { userId: user.id, address, isFormer: mail.address !== null, letter } : null;
    }
  }
}

async function recipientOf({ userId, nameKey }: Mail): Promise<Recipient | null> {
  if (userId !== null) return db.user.findUnique({ where: { id: userId }, select: RECIPIENT });
  return nameKey === null ? null : db.user.findUnique({ where: { usernameKey: nameKey }, select: RECIPIENT });
}

async function verification(mail: Mail, user: Recipient, { facts, now }: Attempt): Promise<Addressed | null> {
  const { id: userId, username, disabledAt, email } = user;
  if (!email?.pending || disabledAt) return null;
  const { link, hash, expiresAt } = newLink("/email", { now, secret: mailedSecret(mail.id) });
  const isThere = facts.perhapsSent ? { hash } : {};
  const { count } = await db.emailAddress.updateMany({
    where: { userId, pending: email.pending, ...isThere },
    data: { hash, expiresAt },
  });
  if (count === 0) return null;
  return { userId, address: email.pending, isFormer: false, letter: verificationLetter(username, link) };
}

/**
 * All that were requested and wait become one. If a stranger requests one soon after another link was sent, there is
 * none: the one in the mailbox stays good, and the mailbox empty of others.
 */
async function recovery(mail: Mail, user: Recipient, { facts, now }: Attempt): Promise<Addressed | null> {
  const { id: userId, username } = user;
  const { link, ...stored } = newLink("/recover/link", { now, secret: mailedSecret(mail.id) });
  const address = await transaction(async (tx) => {
    await lockUser(tx, userId);
    const email = await tx.emailAddress.findFirst({
      where: { userId, address: { not: null }, user: { disabledAt: null } },
      select: { address: true },
    });
    if (!email) return null;
    const existing = await tx.recoveryLink.findUnique({ where: { hash: stored.hash } });
    // The link was used, or a later one has replaced it.
    if (facts.perhapsSent && !existing) return null;
    const since = new Date(now.getTime() - UNDISTURBED_MS);
    const isFirst = mail.attempts === 0 && !existing;
    if (
      isFirst &&
      !facts.isKnown &&
      (await tx.recoveryLink.count({ where: { userId, through: "email", createdAt: { gt: since } } })) > 0
    )
      return null;
    await tx.mail.deleteMany({ where: { nameKey: mail.nameKey, id: { not: mail.id } } });
    await tx.recoveryLink.deleteMany({ where: { userId, through: "email" } });
    await tx.recoveryLink.create({ data: { userId, through: "email", ...stored } });
    const detail = { network: facts.network ?? "unknown" };
    if (isFirst) await audit({ at: now, action: "recovery.email", subjectId: userId, actorId: null, detail }, tx);
    return email.address;
  });
  if (!address) return null;
  return { userId, address, isFormer: false, letter: recoveryLetter(username, link, facts) };
}

const NOTICES_SECONDS = 3_600;
/** Notices of an account that are sent in this time: more are of no use to its user. */
const notices = limiter("notices of an account", 20, NOTICES_SECONDS);
/** One run ends after so long; the rest follows soon. */
const MAX_RUN_MS = 60_000;
/** Whoever sends a message has it for itself so long, and renews that again and again. */
const LEASE_MS = 2 * 60_000;
/** Messages that a process sends at the same time: a slow server holds the others up no longer. */
const MAX_RUNS = 5;
/** A message that the server got without a response is sent again once. */
const MAX_PERHAPS = 2;
const FIRST_PAUSE_MS = 60_000;
const MAX_PAUSE_MS = HOUR_MS;
const AT_ONCE = 50;

const mail = perProcess("mail", () => ({ isWaiting: false, runs: 0 }));

/**
 * Sends what waits, after a moment of random length: the transaction is committed by then, and nobody can tell from the
 * times of other requests whether there was something to send.
 */
export function sendSoon(): void {
  if (mail.isWaiting) return;
  mail.isWaiting = true;
  const sending = sleep(300 + Math.random() * 700, undefined, { ref: false })
    .then(() => {
      mail.isWaiting = false;
      return sendMail();
    })
    .catch((error) => log.error({ err: error }, "sending e-mail failed; the next sweep tries again"));
  keepAwake(sending);
}

/**
 * Sends every message that is due, and returns how many were sent: after a minute those until then, while the rest goes
 * on. Any number of processes may do so: each message is first leased. If the server is away, the rest waits. One that
 * waits for longer than any does was postponed before the clock was set back.
 */
export async function sendMail(now = new Date()): Promise<number> {
  await giveUpOld(now);
  if (!hasMail() || mail.runs === MAX_RUNS) return 0;
  mail.runs++;
  const done = { count: 0 };
  const run = sendDue(now, done).finally(() => mail.runs--);
  keepAwake(run.catch(() => {}));
  await Promise.race([run, sleep(MAX_RUN_MS, undefined, { ref: false })]);
  return done.count;
}

async function sendDue(now: Date, done: { count: number }): Promise<void> {
  const startedAt = performance.now();
  // A lease must not begin in the past.
  const clock = () => new Date(now.getTime() + performance.now() - startedAt);
  for (;;) {
    const where = { OR: [{ nextAt: { lte: now } }, { nextAt: { gt: latestNow(later(now, MAX_PAUSE_MS)) } }] };
    const due = await db.mail.findMany({ where, orderBy: { nextAt: "asc" }, take: AT_ONCE });
    for (const mail of due) {
      if (performance.now() - startedAt > MAX_RUN_MS) return sendSoon();
      if (!(await acquireLease(mail, clock()))) continue;
      const outcome = await send(mail, clock);
      if (outcome === "away") return;
      if (outcome === "sent") done.count++;
    }
    if (due.length < AT_ONCE) return;
  }
}

/** Gives up what has waited for a day, tried or not: also without a mail server, so that nothing stays for good. */
async function giveUpOld(now: Date): Promise<void> {
  await inBatches(async () => {
    const old = await db.mail.findMany({
      where: { createdAt: { lte: new Date(now.getTime() - GIVE_UP_MS) } },
      take: BATCH,
    });
    const userIds = old.flatMap(({ userId, address }) => (address === null && userId ? [userId] : []));
    await db.emailAddress.updateMany({ where: { userId: { in: userIds } }, data: { failedAt: now } });
    const { count } = await db.mail.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } });
    if (count > 0) log.warn({ count }, `messages that waited for ${durationInWords(GIVE_UP_MS / 1_000)} were given up`);
    for (let n = 0; n < count; n++) countMail("given up");
    return count;
  });
}

async function acquireLease({ id, nextAt }: Mail, now: Date): Promise<boolean> {
  const { count } = await db.mail.updateMany({ where: { id, nextAt }, data: { nextAt: later(now, LEASE_MS) } });
  return count === 1;
}

async function send(mail: Mail, clock: () => Date): Promise<"sent" | "dropped" | "later" | "away"> {
  const facts: MailFacts = JSON.parse(mail.facts);
  const perhapsSent = (facts.perhapsSent ?? 0) + 1;
  const isDone = perhapsSent > MAX_PERHAPS || (await isTooMany(mail));
  const to = isDone ? null : await addressed(mail, clock());
  if (!to) {
    await db.mail.deleteMany({ where: { id: mail.id } });
    return "dropped";
  }
  // From here on, a process that dies may have sent it.
  await noteFacts(mail, { ...facts, perhapsSent });
  const problem = await whileLeased(mail, clock, () => sendLetter(to.address, to.letter));
  const isEnough = problem?.isPerhapsSent && perhapsSent === MAX_PERHAPS;
  if (!problem || isEnough) {
    countMail("sent");
    await settle(mail, to, null);
    return "sent";
  }
  const refusal = problem.response ?? problem.code;
  await noteFacts(mail, { ...facts, refusal, ...(problem.isPerhapsSent && { perhapsSent }) });
  await postpone(mail, to, { problem, now: clock() });
  return problem.isAboutServer && !problem.isPerhapsSent ? "away" : "later";
}

const noteFacts = ({ id }: Mail, facts: MailFacts) =>
  db.mail.updateMany({ where: { id }, data: { facts: JSON.stringify(facts) } });

/** Renews the lease while `work` lasts, which may be half an hour. */
async function whileLeased<T>({ id }: Mail, clock: () => Date, work: () => Promise<T>): Promise<T> {
  const again = () => db.mail.updateMany({ where: { id }, data: { nextAt: later(clock(), LEASE_MS) } });
  const renewing = setInterval(() => void again().catch(() => {}), LEASE_MS / 4).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
  }
}

/** Otherwise one user could use up what the mail server lets this service send. */
async function isTooMany({ kind, userId, attempts }: Mail): Promise<boolean> {
  if (!isNotice(kind) || userId === null || attempts > 0) return false;
  const { allowed, isFirstRefusal } = await notices.consume(userId);
  const period = durationInWords(NOTICES_SECONDS);
  if (isFirstRefusal) log.warn({ userId }, `notices of this account are not sent for ${period}: there are too many`);
  return !allowed;
}

async function postpone(
  mail: Mail,
  to: Addressed,
  { problem, now }: { problem: SendingProblem; now: Date },
): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** mail.attempts, MAX_PAUSE_MS);
  const nextAt = new Date(now.getTime() + pause);
  const { isFinal, isAboutServer: _, isPerhapsSent, ...why } = problem;
  if (isFinal || nextAt.getTime() >= mail.createdAt.getTime() + GIVE_UP_MS) {
    log.warn({ kind: mail.kind, ...why }, "a message could not be sent, and was given up");
    countMail("given up");
    return settle(mail, to, now);
  }
  log.warn(
    { kind: mail.kind, ...why },
    isPerhapsSent
      ? "the mail server did not say whether it took a message, which is sent once more"
      : "a message could not be sent yet, and will be tried again",
  );
  countMail("postponed");
  await db.mail.updateMany({ where: { id: mail.id }, data: { nextAt, attempts: { increment: 1 } } });
}

/** The message is done with. The account page shows if the address did not get it. */
async function settle(mail: Mail, { userId, isFormer }: Addressed, failedAt: Date | null): Promise<void> {
  await db.mail.deleteMany({ where: { id: mail.id } });
  if (isFormer) return;
  const isNews = failedAt === null ? { failedAt: { not: null } } : {};
  await db.emailAddress.updateMany({ where: { userId, ...isNews }, data: { failedAt } });
}
