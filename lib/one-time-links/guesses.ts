import { env } from "@/lib/env";
import { rateLimited } from "@/lib/errors";
import { limiter } from "@/lib/limits";
import { limitedAs, type Network } from "@/lib/network";
import { networkLimiter } from "@/lib/network-limits";

const TEN_MINUTES = 600;

const byNetworkOfName = limiter("failed recoveries of a name", env.FAILED_PASSWORDS_PER_10_MINUTES, TEN_MINUTES);
const byNetwork = networkLimiter("failed recoveries", env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES, TEN_MINUTES);

/** A counted attempt with a link or a code. */
interface CountedGuess {
  /** It was right: it does not count. */
  giveBack(): Promise<void>;
}

/**
 * Counts an attempt before it is checked, so that concurrent ones count too: for the name, if it is about one, and the
 * network, and for the network. Never for the name alone, and only where networks are known: a limit that strangers
 * share would let one of them keep a user out, and the secrets need none. Throws 429 `rate_limited`.
 */
export async function countGuess(from: Network, nameKey?: string): Promise<CountedGuess> {
  const { id, kind } = limitedAs(from);
  if (kind !== "remote") return { giveBack: async () => {} };
  const own = nameKey === undefined ? null : `${nameKey.slice(0, 40)} ${id}`;
  for (const take of [own === null ? null : () => byNetworkOfName.take(own), () => byNetwork.take(id)]) {
    const verdict = await take?.();
    if (verdict && !verdict.allowed)
      throw rateLimited(
        verdict.retryAfter,
        `Too many attempts. Try again in ${Math.ceil(verdict.retryAfter / 60)} min.`,
      );
  }
  return {
    giveBack: async () => {
      if (own !== null) await byNetworkOfName.giveBack(own);
      await byNetwork.giveBack(id);
    },
  };
}
