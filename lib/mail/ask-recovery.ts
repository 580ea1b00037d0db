import { db } from "@/lib/db/client";
import { notFound, unavailable } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import type { Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { usernameKey } from "@/lib/usernames";
import { countMessage } from "./count-message";
import { namedNetwork, putMail } from "./outbox";
import { hasMail } from "./transport";

const HOUR = 3_600;
/** Names that may wait for an answer, whether they exist or not. */
const MOST_ASKED = 10_000;
const LONGEST_NAME = 40;

const limits = {
  account: limiter("recovery messages of a name", 3, HOUR),
  network: networkLimiter("recovery messages", 20, HOUR),
};

/**
 * Asks for a recovery link by e-mail. The same work and the same answer for a user, for one without a verified address,
 * for a disabled account and for nobody: which of them it is, is found out later, when messages are sent. Throws 429
 * `rate_limited`.
 */
export async function askForRecovery(username: string, network: Network, now = new Date()): Promise<void> {
  if (!hasMail()) throw notFound();
  const nameKey = usernameKey(username.trim()).slice(0, LONGEST_NAME);
  await countMessage(limits, nameKey, network);
  if ((await db.mail.count({ where: { nameKey: { not: null } } })) >= MOST_ASKED) throw unavailable();
  await putMail(db, { kind: "recovery", userId: null, nameKey, facts: { network: namedNetwork(network.id) } }, now);
}
