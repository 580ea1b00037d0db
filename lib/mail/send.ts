import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/db/client";
import { keepAwake } from "@/lib/keep-awake";
import { log } from "@/lib/log";
import { countMail } from "@/lib/metrics";
import type { Mail } from "@/prisma/generated/sqlite/client";
import { type Addressed, addressed } from "./addressed";
import { hasMail, SENDING_MS, type SendingProblem, sendLetter } from "./transport";

/** A message that could not be sent so long is given up. */
export const GIVE_UP_MS = 24 * 60 * 60_000;
/** Whoever sends a message has it for itself so long. */
const LEASE_MS = 4 * SENDING_MS;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
const AT_ONCE = 50;

/** One per process, not per copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyMailWaits?: boolean };

/**
 * Sends what waits, after a moment of random length: the transaction is committed by then, and nobody can tell from the
 * times of other requests whether there was something to send.
 */
export function sendSoon(): void {
  if (perProcess.latchkeyMailWaits) return;
  perProcess.latchkeyMailWaits = true;
  const sending = sleep(300 + Math.random() * 700, undefined, { ref: false })
    .then(() => {
      perProcess.latchkeyMailWaits = false;
      return sendMail();
    })
    .catch((error) => log.error({ err: error }, "sending e-mail failed; the next sweep tries again"));
  keepAwake(sending);
}

/**
 * Sends every message that is due, and returns how many were sent. Any number of processes may do so: each message is
 * first claimed. If the server is away, the rest waits.
 */
export async function sendMail(now = new Date()): Promise<number> {
  if (!hasMail()) return 0;
  for (let sent = 0; ; ) {
    const due = await db.mail.findMany({ where: { nextAt: { lte: now } }, orderBy: { nextAt: "asc" }, take: AT_ONCE });
    for (const mail of due) {
      if (!(await claim(mail, now))) continue;
      const outcome = await send(mail, now);
      if (outcome === "away") return sent;
      if (outcome === "sent") sent++;
    }
    if (due.length < AT_ONCE) return sent;
  }
}

async function claim({ id, nextAt }: Mail, now: Date): Promise<boolean> {
  const { count } = await db.mail.updateMany({
    where: { id, nextAt },
    data: { nextAt: new Date(now.getTime() + LEASE_MS) },
  });
  return count === 1;
}

async function send(mail: Mail, now: Date): Promise<"sent" | "dropped" | "later" | "away"> {
  const to = await addressed(mail, now);
  if (!to) {
    await db.mail.deleteMany({ where: { id: mail.id } });
    return "dropped";
  }
  const problem = await sendLetter(to.address, to.letter);
  if (!problem) {
    countMail("sent");
    await settle(mail, to, null);
    return "sent";
  }
  await postpone(mail, to, problem, now);
  return problem.isAboutServer ? "away" : "later";
}

async function postpone(mail: Mail, to: Addressed, problem: SendingProblem, now: Date): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_MS * 2 ** mail.attempts, LONGEST_PAUSE_MS);
  const nextAt = new Date(now.getTime() + pause);
  const { isFinal, isAboutServer: _, ...why } = problem;
  if (isFinal || nextAt.getTime() >= mail.createdAt.getTime() + GIVE_UP_MS) {
    log.warn({ kind: mail.kind, ...why }, "a message could not be sent, and was given up");
    countMail("given up");
    return settle(mail, to, now);
  }
  log.warn({ kind: mail.kind, ...why }, "a message could not be sent yet, and will be tried again");
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
