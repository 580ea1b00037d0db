import { sweepTokens } from "@/lib/accounts/access-tokens/sweep";
import { sweepAddresses } from "@/lib/accounts/mail/addresses";
import { sendMail } from "@/lib/accounts/mail/send";
import { sweepOneTimeLinks } from "@/lib/accounts/one-time-link";
import { sweepChallenges } from "@/lib/accounts/passkeys/challenge";
import { sweepSessions } from "@/lib/accounts/sessions";
import { sweepFiles } from "@/lib/files/sweep";
import { sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { sweepNames } from "@/lib/keys/sweep";
import { sweepLinks } from "@/lib/link/sweep";
import { emptyWriteAheadLog } from "@/lib/platform/db/free-space";
import { sweepBlocks } from "@/lib/platform/network/block";
import { sweepResults } from "@/lib/platform/requests/results";
import { sweepDeletions } from "@/lib/user-data/delete";
import { resealAll } from "./reseal";
import { rollUp } from "./statistics/roll-up";
import { sweepSummaries } from "./users/summaries";

/** Codes are counted before they go. */
async function sweepCountedLinks(now: Date): Promise<number> {
  await rollUp(now);
  return sweepLinks(now);
}

/** Where nothing runs between requests, a sweep ends after this long. */
const MAX_MS = 20_000;

/** Seals as long as there is something to seal: to be begun with the service. Returns how many keys and pieces. */
export async function sweepSealing(_now?: Date, longestMs = Number.POSITIVE_INFINITY): Promise<number> {
  const { keys, pieces } = await resealAll(longestMs);
  return keys + pieces;
}

/** The sweeps, by what they remove or send. Each returns how many. */
export const sweeps = {
  codes: sweepCountedLinks,
  filePieces: sweepFiles,
  sessions: sweepSessions,
  challenges: sweepChallenges,
  requests: sweepResults,
  tokens: sweepTokens,
  oneTimeLinks: sweepOneTimeLinks,
  claimLinks: sweepClaimLinks,
  keyNames: sweepNames,
  addresses: sweepAddresses,
  accounts: sweepDeletions,
  userSummaries: sweepSummaries,
  blocks: sweepBlocks,
  mail: sendMail,
  sealing: sweepSealing,
};

/** Runs every sweep once. */
export async function sweepAll(now = new Date()): Promise<Record<keyof typeof sweeps, number>> {
  const swept = {
    codes: await sweepCountedLinks(now),
    filePieces: await sweepFiles(now),
    sessions: await sweepSessions(now),
    challenges: await sweepChallenges(now),
    requests: await sweepResults(now),
    tokens: await sweepTokens(now),
    oneTimeLinks: await sweepOneTimeLinks(now),
    claimLinks: await sweepClaimLinks(now),
    keyNames: await sweepNames(now, MAX_MS),
    addresses: await sweepAddresses(now),
    accounts: await sweepDeletions(now),
    userSummaries: await sweepSummaries(now),
    blocks: await sweepBlocks(now),
    mail: await sendMail(now),
    sealing: await sweepSealing(now, MAX_MS),
  };
  await emptyWriteAheadLog();
  return swept;
}
