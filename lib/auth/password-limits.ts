import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { limiter, type Verdict } from "@/lib/limits";
import { countedAs, limitedAs, type Network, widerNetworks } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";
import { usernameKey } from "@/lib/usernames";
import type { HashedFor } from "./passwords";

/** Where a password comes from. */
export interface Guesser {
  network: Network;
  /** Names a browser that has signed in to this very account before: it answers for its own wrong passwords only. */
  browser?: string;
}

const TEN_MINUTES = 600;

const byNetworkOfName = limiter("failed passwords", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const byBrowser = limiter("failed passwords of a browser", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const byNetwork = networkLimiter("failed passwords of a network", env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES, TEN_MINUTES);
const byName = limiter("failed passwords of a name", env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, TEN_MINUTES);
/** Where nobody knows networks, a low limit would let anybody lock an account for everybody. */
const byNameAnywhere = limiter("failed passwords anywhere", 10 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, TEN_MINUTES);

/** One limit of several. */
interface Counter {
  take(): Promise<Verdict>;
  giveBack(): Promise<void>;
  /** After the right password; unset, one is given back. */
  forget?(): Promise<void>;
}

/** An attempt that was counted. One of the two is called, or none where the password was wrong. */
export interface CountedAttempt {
  /** The password was right: what went before it was a slip. */
  succeeded(): Promise<void>;
  /** Nobody looked at the password. */
  unjudged(): Promise<void>;
}

/**
 * Counts an attempt before it is judged, so that many at once are still many. A known browser has a counter of its own, so
 * nobody who guesses locks it out; a stolen one gives that counter and no more. Everybody else counts for the name and network, for the network
 * with those around it, and for the name. Throws 429 `rate_limited`; then it counts no further.
 */
export async function countAttempt(username: string, from: Guesser): Promise<CountedAttempt> {
  const counters = countersOf(usernameKey(username).slice(0, 40), from);
  for (const counter of counters) {
    const { allowed, retryAfter } = await counter.take();
    if (!allowed) throw rateLimited(retryAfter, `Too many wrong passwords. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  }
  return {
    succeeded: async () => void (await Promise.all(counters.map((counter) => (counter.forget ?? counter.giveBack)()))),
    unjudged: async () => void (await Promise.all(counters.map((counter) => counter.giveBack()))),
  };
}

/** From narrow to wide: who is refused by the first does not count for the others, or one network could lock a name for all. */
function countersOf(name: string, { network: from, browser }: Guesser): Counter[] {
  const network = limitedAs(from);
  const forgetful = (limit: typeof byBrowser, key: string): Counter => ({ ...counter(limit, key), forget: () => limit.clear(key) });
  if (browser) return [forgetful(byBrowser, browser)];
  const own = forgetful(byNetworkOfName, `${name} ${network.id}`);
  switch (network.kind) {
    case "local":
      return [own];
    case "remote":
      return [own, counter(byNetwork, network.id), counter(byName, name)];
    default:
      return [counter(byNameAnywhere, `${name} ${network.id}`)];
  }
}

function counter(limit: Pick<typeof byNetwork, "take" | "giveBack">, key: string): Counter {
  return { take: () => limit.take(key), giveBack: () => limit.giveBack(key) };
}

/** For whom a password is hashed, by network. Where networks mean nothing, a known browser need not wait behind everybody. */
export function hashedFor({ network, browser }: Guesser): HashedFor {
  const meansNothing = network.kind === "shared" || network.kind === "unknown";
  const id = countedAs(network.id);
  return meansNothing && browser ? [`browser ${browser}`] : [id, ...widerNetworks(id)];
}
