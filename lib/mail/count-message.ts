import { rateLimited } from "@/lib/errors";
import type { Limiter } from "@/lib/limits";
import { limitedAs, type Network } from "@/lib/network";
import type { NetworkLimiter } from "@/lib/network-limits";

/** So that nobody can fill a mailbox. */
interface MessageLimits {
  account: Limiter;
  network: NetworkLimiter;
}

/** Counts a message for the network, where networks are known, and for the account. Throws 429 `rate_limited`. */
export async function countMessage(limits: MessageLimits, account: string, network: Network): Promise<void> {
  const { id, kind } = limitedAs(network);
  for (const take of [
    ...(kind === "remote" ? [() => limits.network.take(id)] : []),
    () => limits.account.take(account),
  ]) {
    const { allowed, retryAfter } = await take();
    if (!allowed) throw rateLimited(retryAfter, `Too many messages. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  }
}
