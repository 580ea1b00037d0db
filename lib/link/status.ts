import { isIssuedTo } from "./access";
import { type CheckedPoll, type PollOptions, respondToPoll } from "./poll";
import type { Requester } from "./requester";
import { isUndecided, type LinkStatus, statusOf } from "./states";
import type { PollResponse } from "./wait";

/**
 * The state of a code for the program that it was issued to, or null. Whether the code is malformed, unknown or another
 * program's cannot be told apart. Counts like a poll for the token. With `wait`, the response comes as soon as the code
 * is no longer pending; everybody else waits to the end, whatever happens to it. Throws 429 `rate_limited`, but never
 * if the poll secret is right.
 */
export async function readStatus(requester: Requester, code: string, options: PollOptions): Promise<LinkStatus | null> {
  return respondToPoll({ requester, code, ...options }, statusFor);
}

async function statusFor({ link, user, poller }: CheckedPoll, now: Date): Promise<PollResponse<LinkStatus>> {
  if (!link || !isIssuedTo(link, poller)) return { response: null, isFinal: false };
  const response = statusOf(link, user !== undefined, now);
  return { response, isFinal: !isUndecided(response) };
}
