import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/db/client";
import { BATCH, inBatches } from "@/lib/db/in-batches";
import { later, latestNow } from "@/lib/hours";
import { durationInWords } from "@/lib/in-words";
import { keepAwake } from "@/lib/keep-awake";
import { limiter } from "@/lib/limits";
import { log } from "@/lib/log";
import { countMail } from "@/lib/metrics";
import { perProcess } from "@/lib/per-process";
import { GIVE_UP_MS } from "@/lib/stated-bounds";
import type { Mail } from "@/prisma/generated/sqlite/client";
import { type Addressed, addressed } from "./addressed";
import { isNotice, type MailFacts } from "./letters";
import { hasMail, type SendingProblem, sendLetter } from "./transport";

const NOTICES_SECONDS = 3_600;
/** Notices of an account that are sent in this time: more are of no use to its user. */
const notices = limiter("notices of an account", 20, NOTICES_SECONDS);
/** One run ends after so long; the rest follows soon. */
const LONGEST_RUN_MS = 60_000;
/** Whoever sends a message has it for itself so long, and says again and again that it still does. */
const LEASE_MS = 2 * 60_000;
/** Messages that a process sends at the same time: a slow server holds the others up no longer. */
const MOST_RUNS = 5;
/** A message of which the server said nothing once it had it is sent again once. */
const MOST_PERHAPS = 2;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
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
 * on. Any number of processes may do so: each message is first claimed. If the server is away, the rest waits. One that
 * waits for longer than any does was postponed before the clock was set back.
 */
export async function sendMail(now = new Date()): Promise<number> {
  await giveUpOld(now);
  if (!hasMail() || mail.runs === MOST_RUNS) return 0;
  mail.runs++;
  const done = { sent: 0 };
  const run = sendDue(now, done).finally(() => mail.runs--);
  keepAwake(run.catch(() => {}));
  await Promise.race([run, sleep(LONGEST_RUN_MS, undefined, { ref: false })]);
  return done.sent;
}

async function sendDue(now: Date, done: { sent: number }): Promise<void> {
  const startedAt = performance.now();
  // A claim must not begin in the past.
  const clock = () => new Date(now.getTime() + performance.now() - startedAt);
  for (;;) {
    const where = { OR: [{ nextAt: { lte: now } }, { nextAt: { gt: latestNow(later(now, LONGEST_PAUSE_MS)) } }] };
    const due = await db.mail.findMany({ where, orderBy: { nextAt: "asc" }, take: AT_ONCE });
    for (const mail of due) {
      if (performance.now() - startedAt > LONGEST_RUN_MS) return sendSoon();
      if (!(await claim(mail, clock()))) continue;
      const outcome = await send(mail, clock);
      if (outcome === "away") return;
      if (outcome === "sent") done.sent++;
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

async function claim({ id, nextAt }: Mail, now: Date): Promise<boolean> {
  const { count } = await db.mail.updateMany({ where: { id, nextAt }, data: { nextAt: later(now, LEASE_MS) } });
  return count === 1;
}

async function send(mail: Mail, clock: () => Date): Promise<"sent" | "dropped" | "later" | "away"> {
  const facts: MailFacts = JSON.parse(mail.facts);
  const perhapsSent = (facts.perhapsSent ?? 0) + 1;
  const isDone = perhapsSent > MOST_PERHAPS || (await isTooMany(mail));
  const to = isDone ? null : await addressed(mail, clock());
  if (!to) {
    await db.mail.deleteMany({ where: { id: mail.id } });
    return "dropped";
  }
  // From here on, a process that dies may have sent it.
  await noteFacts(mail, { ...facts, perhapsSent });
  const problem = await whileClaimed(mail, clock, () => sendLetter(to.address, to.letter));
  const isEnough = problem?.isPerhapsSent && perhapsSent === MOST_PERHAPS;
  if (!problem || isEnough) {
    countMail("sent");
    await settle(mail, to, null);
    return "sent";
  }
  if (!problem.isPerhapsSent) await noteFacts(mail, facts);
  await postpone(mail, to, problem, clock());
  return problem.isAboutServer && !problem.isPerhapsSent ? "away" : "later";
}

const noteFacts = ({ id }: Mail, facts: MailFacts) =>
  db.mail.updateMany({ where: { id }, data: { facts: JSON.stringify(facts) } });

/** Keeps the claim while `work` lasts, which may be half an hour. */
async function whileClaimed<T>({ id }: Mail, clock: () => Date, work: () => Promise<T>): Promise<T> {
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
  const { allowed, isFirstRefusal } = await notices.take(userId);
  const period = durationInWords(NOTICES_SECONDS);
  if (isFirstRefusal) log.warn({ userId }, `notices of this account are not sent for ${period}: there are too many`);
  return !allowed;
}

async function postpone(mail: Mail, to: Addressed, problem: SendingProblem, now: Date): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** mail.attempts, LONGEST_PAUSE_MS);
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

/** The message is done with. The account page says if the address did not get it. */
async function settle(mail: Mail, { userId, isFormer }: Addressed, failedAt: Date | null): Promise<void> {
  await db.mail.deleteMany({ where: { id: mail.id } });
  if (isFormer) return;
  const isNews = failedAt === null ? { failedAt: { not: null } } : {};
  await db.emailAddress.updateMany({ where: { userId, ...isNews }, data: { failedAt } });
}
