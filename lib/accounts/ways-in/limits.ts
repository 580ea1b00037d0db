import { env } from "@/lib/platform/env";
import { rateLimited } from "@/lib/platform/errors";
import {
  type Limiter,
  type LimitVerdict,
  limiter,
  type NetworkLimiter,
  networkLimiter,
} from "@/lib/platform/limits/limits";
import { countedAs, limitedAs, type Network, widerNetworks } from "@/lib/platform/network/network";
import { usernameKey } from "../identity/user";
import { hashSecret } from "./one-time-link";
import type { HashedFor } from "./passwords";

/** Where a password comes from. */
export interface PasswordSource {
  network: Network;
  /** A browser that has signed in to this account before: it is limited only by its own wrong passwords. */
  browser?: string;
  /** The account was signed in from this network: guesses from elsewhere do not count here. */
  isUsual?: boolean;
}

const TEN_MINUTES = 600;

const passwordsOfName = networkLimiter("failed passwords", env.FAILED_PASSWORDS_PER_10_MINUTES, {
  seconds: TEN_MINUTES,
  isWide: false,
});
const byBrowser = limiter("failed passwords of a browser", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const passwordsOfNetwork = networkLimiter(
  "failed passwords of a network",
  env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES,
  { seconds: TEN_MINUTES },
);
const byName = limiter("failed passwords of a name", env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, TEN_MINUTES);
/** If networks are unknown, a low limit would let anybody lock an account. */
const byNameAnywhere = networkLimiter("failed passwords anywhere", 10 * env.FAILED_PASSWORDS_PER_NAME_10_MINUTES, {
  seconds: TEN_MINUTES,
  isWide: false,
});

/** What counts by a single key. */
interface Counts {
  consume(key: string): Promise<LimitVerdict>;
  refund(key: string): Promise<void>;
}

/** One limit of several. */
interface Counter {
  consume: () => Promise<LimitVerdict>;
  refund: () => Promise<void>;
  /** Called after the right password; without it, one attempt is given back. */
  forget?: () => Promise<void>;
}

/** A counted attempt. One of the two is called, or neither if the password was wrong. */
interface CountedAttempt {
  /** The password was right: earlier failures were slips. */
  succeeded(): Promise<void>;
  /** The password was not checked. */
  unchecked(): Promise<void>;
}

/**
 * Counts an attempt before it is checked, so that concurrent ones count too. Without a limit by name, many networks
 * could guess at once; with it alone, anyone could lock out the user. So a remembered browser has its own counter, and
 * a stolen cookie gives access to that only. Everybody else counts for the name and network, for the network with its
 * neighbours and, unless the account was signed in from there, for the name. Throws 429 `rate_limited` and then counts
 * no further.
 */
export async function countAttempt(username: string, from: PasswordSource): Promise<CountedAttempt> {
  const counters = countersOf(usernameKey(username).slice(0, 40), from);
  await consumeEach(counters, "Too many wrong passwords.");
  return {
    succeeded: async () => void (await Promise.all(counters.map((counter) => (counter.forget ?? counter.refund)()))),
    unchecked: async () => void (await Promise.all(counters.map((counter) => counter.refund()))),
  };
}

/**
 * The same for a response of a passkey, which names nobody: it counts for the network with its neighbours, together
 * with wrong passwords. Where networks mean nothing there is no limit, because nothing can be guessed.
 */
export async function countPasskeyAttempt(from: Network): Promise<Pick<CountedAttempt, "succeeded">> {
  const network = limitedAs(from);
  if (network.kind !== "remote") return { succeeded: async () => {} };
  const attempts = counter(passwordsOfNetwork, network.id);
  await consumeEach([attempts], "Too many failed sign-ins.");
  return { succeeded: attempts.refund };
}

/**
 * From narrow to wide: an attempt refused by the first does not count for the others. Otherwise one network could lock
 * a name for all.
 */
function countersOf(name: string, { network: from, browser, isUsual }: PasswordSource): Counter[] {
  const network = limitedAs(from);
  if (browser) return [{ ...counter(byBrowser, browser), forget: () => byBrowser.clear(browser) }];
  const own = {
    ...counterOfName(passwordsOfName, network.id, name),
    forget: () => passwordsOfName.clear(network.id, name),
  };
  switch (network.kind) {
    case "local":
      return [own];
    case "remote":
      return [own, counter(passwordsOfNetwork, network.id), ...(isUsual ? [] : [counter(byName, name)])];
    default:
      return [counterOfName(byNameAnywhere, network.id, name)];
  }
}

function counter(limit: Counts, key: string): Counter {
  return { consume: () => limit.consume(key), refund: () => limit.refund(key) };
}

/** Of a name on a network. */
function counterOfName(limit: NetworkLimiter, network: string, name: string): Counter {
  return { consume: () => limit.consume(network, name), refund: () => limit.refund(network, name) };
}

/** Throws 429 `rate_limited` at the first counter that refuses, and then counts no further. */
async function consumeEach(counters: Counter[], sentence: string): Promise<void> {
  for (const { consume } of counters) {
    const { allowed, retryAfter } = await consume();
    if (!allowed) throw rateLimited(retryAfter, `${sentence} Try again in ${Math.ceil(retryAfter / 60)} min.`);
  }
}

/**
 * The queue names for hashing a password, by network. If networks are meaningless, a remembered browser need not wait
 * behind everybody.
 */
export function hashedFor({ network, browser }: PasswordSource): HashedFor {
  const meansNothing = network.kind === "shared" || network.kind === "unknown";
  const id = countedAs(network.id);
  return meansNothing && browser ? [`browser ${browser}`] : [id, ...widerNetworks(id)];
}

/** So that nobody can fill a mailbox. */
interface MessageLimits {
  account?: Limiter;
  /** Of the account, for each network apart. */
  accountHere?: NetworkLimiter;
  network?: NetworkLimiter;
  /** Of the mailbox, whoever enters its address. */
  mailbox?: Limiter;
}

/** Counts a message for the network, if it is known, the account and the mailbox. Throws 429 `rate_limited`. */
export async function countMessage(
  limits: MessageLimits,
  { accountKey, network, address = "" }: { accountKey: string; network: Network; address?: string },
): Promise<void> {
  const { id, kind } = limitedAs(network);
  const counters = [
    kind === "remote" && limits.network && counter(limits.network, id),
    limits.account && counter(limits.account, accountKey),
    limits.accountHere && counterOfName(limits.accountHere, id, accountKey),
    limits.mailbox && counter(limits.mailbox, hashSecret(address.toLowerCase())),
  ];
  await consumeEach(
    counters.filter((each) => !!each),
    "Too many messages.",
  );
}

const recoveriesOfName = networkLimiter("failed recoveries of a name", env.FAILED_PASSWORDS_PER_10_MINUTES, {
  seconds: TEN_MINUTES,
  isWide: false,
});
const recoveriesOfNetwork = networkLimiter("failed recoveries", env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES, {
  seconds: TEN_MINUTES,
});

/** A counted attempt with a link or a code. */
interface CountedGuess {
  /** It was right: it does not count. */
  refund(): Promise<void>;
}

/**
 * Counts an attempt before it is checked, so that concurrent ones count too: for the name, if it is about one, and the
 * network, and for the network. Never for the name alone, and only where networks are known: a limit that strangers
 * share would let one of them keep a user out, and the secrets need none. Throws 429 `rate_limited`.
 */
export async function countGuess(from: Network, nameKey?: string): Promise<CountedGuess> {
  const { id, kind } = limitedAs(from);
  if (kind !== "remote") return { refund: async () => {} };
  const counters = [
    ...(nameKey === undefined ? [] : [counterOfName(recoveriesOfName, id, nameKey.slice(0, 40))]),
    counter(recoveriesOfNetwork, id),
  ];
  await consumeEach(counters, "Too many attempts.");
  return {
    refund: async () => {
      for (const each of counters) await each.refund();
    },
  };
}
