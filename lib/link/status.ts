import { answerQuestion, isIssuedTo, type Judged } from "./collect";
import type { Asker } from "./limits";
import { isUndecided, type LinkStatus, statusOf } from "./states";
import type { CodeResponse, Wait } from "./wait";

/**
 * The state of a code for the program that it was issued to, or null. Whether the code is malformed, unknown or another
 * program's cannot be told apart. Counts like a poll for the token. With `wait`, the answer comes as soon as the code
 * is no longer pending; everybody else waits to the end, whatever happens to it. Throws 429 `rate_limited`, but never
 * if the poll secret is right.
 */
export async function askForStatus(
  code: string,
  asker: Asker,
  secret: string | null,
  now = new Date(),
  wait: Wait | null = null,
): Promise<LinkStatus | null> {
  return answerQuestion({ code, asker, secret }, statusFor, now, wait);
}

async function statusFor({ link, user, claim }: Judged, now: Date): Promise<CodeResponse<LinkStatus>> {
  if (!link || !isIssuedTo(link, claim)) return { response: null, isFinal: false };
  const response = statusOf(link, user !== undefined, now);
  return { response, isFinal: !isUndecided(response) };
}
