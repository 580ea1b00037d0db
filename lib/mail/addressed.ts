import { audit } from "@/lib/audit";
import { db, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { mailedSecret, newLink } from "@/lib/one-time-links/one-time-link";
import { UNDISTURBED_MS } from "@/lib/stated-bounds";
import type { EmailAddress, Mail } from "@/prisma/generated/sqlite/client";
import {
  type Letter,
  type MailFacts,
  type NoticeKind,
  noticeLetter,
  recoveryLetter,
  verificationLetter,
} from "./letters";

/** A message that can be sent. */
export interface Addressed {
  userId: string;
  address: string;
  /** It goes to an address that the account no longer has. */
  isFormer: boolean;
  letter: Letter;
}

interface Person {
  id: string;
  username: string;
  disabledAt: Date | null;
  email: EmailAddress | null;
}

const PERSON = { id: true, username: true, disabledAt: true, email: true } as const;

/**
 * The words and the address of a stored message; null if nobody is to get it any more. Its one-time link is created
 * only now, and only the link's hash is stored, so that a stolen database gives none.
 */
export async function addressed(mail: Mail, now: Date): Promise<Addressed | null> {
  const user = await personOf(mail);
  if (!user) return null;
  const facts: MailFacts = JSON.parse(mail.facts);
  switch (mail.kind) {
    case "recovery":
      return recovery(mail, user, facts, now);
    case "verification":
      return verification(mail, user, facts, now);
    default: {
      const address = mail.address ?? user.email?.address;
      const letter = noticeLetter(mail.kind as NoticeKind, user.username, mail.createdAt, facts);
      return address ? { userId: user.id, address, isFormer: mail.address !== null, letter } : null;
    }
  }
}

async function personOf({ userId, nameKey }: Mail): Promise<Person | null> {
  if (userId !== null) return db.user.findUnique({ where: { id: userId }, select: PERSON });
  return nameKey === null ? null : db.user.findUnique({ where: { usernameKey: nameKey }, select: PERSON });
}

async function verification(mail: Mail, user: Person, facts: MailFacts, now: Date): Promise<Addressed | null> {
  const { id: userId, username, disabledAt, email } = user;
  if (!email?.pending || disabledAt) return null;
  const { link, hash, expiresAt } = newLink("/email", now, undefined, mailedSecret(mail.id));
  const isThere = facts.perhapsSent ? { hash } : {};
  const { count } = await db.emailAddress.updateMany({
    where: { userId, pending: email.pending, ...isThere },
    data: { hash, expiresAt },
  });
  if (count === 0) return null;
  return { userId, address: email.pending, isFormer: false, letter: verificationLetter(username, link) };
}

/**
 * All that were asked for and wait become one. If a stranger asks soon after another link was sent, there is none: the
 * one in the mailbox stays good, and the mailbox empty of others.
 */
async function recovery(mail: Mail, user: Person, facts: MailFacts, now: Date): Promise<Addressed | null> {
  const { id: userId, username } = user;
  const { link, ...stored } = newLink("/recover/link", now, undefined, mailedSecret(mail.id));
  const address = await transaction(async (tx) => {
    await lockUser(tx, userId);
    const email = await tx.emailAddress.findFirst({
      where: { userId, address: { not: null }, user: { disabledAt: null } },
      select: { address: true },
    });
    if (!email) return null;
    const sent = await tx.recoveryLink.findUnique({ where: { hash: stored.hash } });
    // The link was used, or a later one has replaced it.
    if (facts.perhapsSent && !sent) return null;
    const since = new Date(now.getTime() - UNDISTURBED_MS);
    const isFirst = mail.attempts === 0 && !sent;
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
