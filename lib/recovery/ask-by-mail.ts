import { knownBrowser } from "@/lib/auth/known-browsers";
import { db } from "@/lib/db/client";
import { notFound, unavailable } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import { countMessage } from "@/lib/mail/count-message";
import { namedNetwork, putMail } from "@/lib/mail/outbox";
import { hasMail } from "@/lib/mail/transport";
import { limitedAs, type Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { usernameKey } from "@/lib/usernames";

const HOUR = 3_600;
const PER_HOUR = 3;
const OF_NETWORK_PER_HOUR = 20;
/** Names that may wait for an answer, whether they exist or not. */
const MOST_ASKED = 10_000;
const LONGEST_NAME = 40;
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
  const nameKey = usernameKey(username.trim()).slice(0, LONGEST_NAME);
  const user = await db.user.findUnique({ where: { usernameKey: nameKey }, select: { id: true, passwordHash: true } });
  const browser = knownBrowser(cookie, user ?? NOBODY);
  const { kind, id } = limitedAs(from);
  const areKnown = kind === "remote" || kind === "local";
  if (browser) await countMessage({ account: ofBrowser }, browser, from);
  else await countMessage({ account: areKnown ? ofNameHere : ofNameAnywhere, network }, `${nameKey} ${id}`, from);
  if ((await db.mail.count({ where: { nameKey: { not: null } } })) >= MOST_ASKED) throw unavailable();
  const facts = { network: namedNetwork(from.id), ...(browser && { isKnown: true }) };
  await putMail(db, { kind: "recovery", userId: null, nameKey, facts }, now);
}
