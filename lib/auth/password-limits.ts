import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { type LimitVerdict, limiter } from "@/lib/limits";
import { countedAs, limitedAs, type Network, widerNetworks } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { usernameKey } from "@/lib/usernames";
import type { HashedFor } from "./passwords";

/** Where a password comes from. */
export interface Guesser {
  network: Network;
  /** A browser that has signed in to this account before: it is limited only by its own wrong passwords. */
  browser?: string;
  /** The account was signed in from this network: guesses from elsewhere do not count here. */
  isUsual?: boolean;
}

const TEN_MINUTES = 600;

const byNetworkOfName = limiter("failed passwords", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const byBrowser = limiter("failed passwords of a browser", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const byNetwork = networkLimiter(
  "failed passwords of a network",
  env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES,
  TEN_MINUTES,
);
const byName = limiter("failed passwords of a name", env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, TEN_MINUTES);
/** If networks are unknown, a low limit would let anybody lock an account. */
const byNameAnywhere = limiter("failed passwords anywhere", 10 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, TEN_MINUTES);

/** One limit of several. */
interface Counter {
  take(): Promise<LimitVerdict>;
  giveBack(): Promise<void>;
  /** Called after the right password; without it, one attempt is given back. */
  forget?(): Promise<void>;
}

/** A counted attempt. One of the two is called, or neither if the password was wrong. */
export interface CountedAttempt {
  /** The password was right: earlier failures were slips. */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  unjudged(): Promise<void>;
}

/**
 * Counts an attempt before it is checked, so that concurrent ones count too. A known browser has its own counter, so
 * guessers cannot lock it out; a stolen cookie gives access to that counter only. Everybody else counts for the name
 * and network, for the network with its neighbours and, unless the account was signed in from there, for the name.
 * Throws 429 `rate_limited` and then counts no further.
 */
export async function countAttempt(username: string, from: Guesser): Promise<CountedAttempt> {
  const counters = countersOf(usernameKey(username).slice(0, 40), from);
  for (const counter of counters) {
    const { allowed, retryAfter } = await counter.take();
    if (!allowed)
      throw rateLimited(retryAfter, `Too many wrong passwords. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  }
  return {
    succeeded: async () => void (await Promise.all(counters.map((counter) => (counter.forget ?? counter.giveBack)()))),
    unjudged: async () => void (await Promise.all(counters.map((counter) => counter.giveBack()))),
  };
}

/**
 * The same for an answer of a passkey, which names nobody: it counts for the network with its neighbours, together with
 * wrong passwords. Where networks mean nothing there is no limit, because nothing can be guessed.
 */
export async function countPasskeyAttempt(from: Network): Promise<Pick<CountedAttempt, "succeeded">> {
  const network = limitedAs(from);
  if (network.kind !== "remote") return { succeeded: async () => {} };
  const { allowed, retryAfter } = await byNetwork.take(network.id);
  if (!allowed)
    throw rateLimited(retryAfter, `Too many failed sign-ins. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  return { succeeded: () => byNetwork.giveBack(network.id) };
}

/**
 * From narrow to wide: an attempt refused by the first does not count for the others. Otherwise one network could lock
 * a name for all.
 */
function countersOf(name: string, { network: from, browser, isUsual }: Guesser): Counter[] {
  const network = limitedAs(from);
  const forgetful = (limit: typeof byBrowser, key: string): Counter => ({
    ...counter(limit, key),
    forget: () => limit.clear(key),
  });
  if (browser) return [forgetful(byBrowser, browser)];
  const own = forgetful(byNetworkOfName, `${name} ${network.id}`);
  switch (network.kind) {
    case "local":
      return [own];
    case "remote":
      return [own, counter(byNetwork, network.id), ...(isUsual ? [] : [counter(byName, name)])];
    default:
      return [counter(byNameAnywhere, `${name} ${network.id}`)];
  }
}

function counter(limit: Pick<typeof byNetwork, "take" | "giveBack">, key: string): Counter {
  return { take: () => limit.take(key), giveBack: () => limit.giveBack(key) };
}

/**
 * The queue names for hashing a password, by network. If networks are meaningless, a known browser need not wait behind
 * everybody.
 */
export function hashedFor({ network, browser }: Guesser): HashedFor {
  const meansNothing = network.kind === "shared" || network.kind === "unknown";
  const id = countedAs(network.id);
  return meansNothing && browser ? [`browser ${browser}`] : [id, ...widerNetworks(id)];
}
