import { rateLimited } from "@/lib/errors";
import type { Limiter } from "@/lib/limits";
import { limitedAs, type Network } from "@/lib/network";
import type { NetworkLimiter } from "@/lib/network-limits";
import { hashSecret } from "@/lib/one-time-links/one-time-link";

/** So that nobody can fill a mailbox. */
interface MessageLimits {
  account: Limiter;
  network?: NetworkLimiter;
  /** Of the mailbox, whoever enters its address. */
  mailbox?: Limiter;
}

/** Counts a message for the network, if it is known, the account and the mailbox. Throws 429 `rate_limited`. */
export async function countMessage(
  { account, network, mailbox }: MessageLimits,
  accountKey: string,
  from: Network,
  address = "",
): Promise<void> {
  const { id, kind } = limitedAs(from);
  for (const take of [
    ...(network && kind === "remote" ? [() => network.take(id)] : []),
    () => account.take(accountKey),
    ...(mailbox ? [() => mailbox.take(hashSecret(address.toLowerCase()))] : []),
  ]) {
    const { allowed, retryAfter } = await take();
    if (!allowed) throw rateLimited(retryAfter, `Too many messages. Try again in ${Math.ceil(retryAfter / 60)} min.`);
  }
}
