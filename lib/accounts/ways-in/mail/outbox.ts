import type { Statements } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { describeProgram } from "@/lib/platform/user-agent";
import type { NoticeContext } from "../../context";
import type { MailFacts, MailKind, NoticeKind } from "./letters";
import { sendSoon } from "./send";
import { hasMail } from "./transport";

/** Messages of one account that may wait: no longer than a server is away for a day does it have so many. */
export const MAX_WAITING = 20;

/** A message that is to be stored. */
interface NewMail {
  kind: MailKind;
  userId: string | null;
  nameKey?: string;
  address?: string;
  facts: MailFacts;
}

/** The network's id if it is one, and no word for a missing one. */
export const namedNetwork = (id?: string | null) => (id && /^(?:[\d.]+|[\da-f:]+\/64)$/.test(id) ? id : undefined);

/**
 * Stores a message within the transaction that it is about. It is sent soon, also after a restart. The row has no
 * secret: a link's is derived from the row's id when it is sent, so a stolen database reveals none, and a message that
 * is sent again has the same link. Whether anyone is to get it is decided then, too: asking is the same work for every
 * name.
 */
export async function putMail(statements: Statements, { facts, ...mail }: NewMail, now: Date): Promise<void> {
  const row = { ...mail, id: newId(), facts: JSON.stringify(facts), createdAt: now, attempts: 0, nextAt: now };
  await statements.mail.create({ data: row });
  sendSoon();
}

/**
 * Notifies a user with a verified address of what happened to the account, within the transaction that does it. Without
 * such an address, or without e-mail, it does nothing.
 */
export async function notify(
  tx: Statements,
  userId: string,
  { kind, network, sessionId, now = new Date() }: NoticeContext & { kind: NoticeKind },
): Promise<void> {
  if (!hasMail() || (await tx.emailAddress.count({ where: { userId, address: { not: null } } })) === 0) return;
  if ((await tx.mail.count({ where: { userId } })) >= MAX_WAITING) {
    log.warn({ kind }, "a notice was not stored: too many messages of this account are waiting");
    return;
  }
  const session = sessionId === undefined ? null : await tx.session.findUnique({ where: { id: sessionId } });
  // A browser's name comes from a fixed list; any other program chooses its own.
  const browser = session?.userAgent.startsWith("Mozilla/") ? describeProgram(session.userAgent) : "";
  const facts = { network: namedNetwork(network?.id ?? session?.network), browser: browser || undefined };
  await putMail(tx, { kind, userId, facts }, now);
}
