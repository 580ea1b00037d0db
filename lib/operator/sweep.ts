import { sweepTokens } from "@/lib/accounts/identity/access-tokens/sweep";
import { sweepSessions } from "@/lib/accounts/session/sessions";
import { sweepAddresses } from "@/lib/accounts/ways-in/mail/addresses";
import { sendMail } from "@/lib/accounts/ways-in/mail/send";
import { sweepOneTimeLinks } from "@/lib/accounts/ways-in/one-time-link";
import { sweepChallenges } from "@/lib/accounts/ways-in/passkeys/challenge";
import { sweepFiles } from "@/lib/files/sweep";
import { sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { sweepNames } from "@/lib/keys/sweep";
import { sweepLinks, sweepSealed } from "@/lib/link/sweep";
import { emptyWriteAheadLog } from "@/lib/platform/db/free-space";
import { sweepBlocks } from "@/lib/platform/network/block";
import { sweepResults } from "@/lib/platform/requests/results";
import { sweepDeletions } from "@/lib/user-data/delete";
import { resealAll } from "./reseal";
import { recordHours } from "./statistics";
import { sweepSummaries } from "./users/summaries";

/** Seals as long as there is something to seal. Returns how many keys and pieces. */
async function sweepUnsealed(longestMs: number): Promise<number> {
  const { keys, pieces } = await resealAll(longestMs);
  return keys + pieces;
}

/** What is done in the background, again and again. */
export interface Sweep<Result = number> {
  /** Returns how many it removed, sent or sealed. One that could take long ends after `longestMs`. */
  run(now: Date, longestMs: number): Promise<Result>;
  /** Also when the service starts: after an upgrade, it is needed immediately. */
  atStart?: boolean;
}

/** The sweeps, by what they remove, send or seal, in their order. */
export const sweeps: Record<string, Sweep> = {
  // Codes are counted before they go.
  codes: { run: (now) => recordHours(now).then(() => sweepLinks(now)) },
  filePieces: { run: sweepFiles },
  sessions: { run: sweepSessions },
  challenges: { run: sweepChallenges },
  requests: { run: sweepResults },
  tokens: { run: async (now) => (await sweepSealed(now)) + (await sweepTokens(now)) },
  oneTimeLinks: { run: sweepOneTimeLinks },
  claimLinks: { run: sweepClaimLinks },
  keyNames: { run: (_now, longestMs) => sweepNames(longestMs), atStart: true },
  addresses: { run: sweepAddresses },
  accounts: { run: sweepDeletions },
  blocks: { run: sweepBlocks },
  mail: { run: sendMail },
  sealing: { run: (_now, longestMs) => sweepUnsealed(longestMs), atStart: true },
  // The last, because it takes long where there are a million users, and is of no use before its end.
  userSummaries: { run: sweepSummaries, atStart: true },
};

/** Where nothing runs between requests, a sweep ends after this long. */
const MAX_MS = 20_000;

/** Runs every sweep once. Returns how many each removed, sent or sealed. */
export async function sweepAll(now = new Date()): Promise<Record<string, number>> {
  const swept: Record<string, number> = {};
  for (const [name, { run }] of Object.entries(sweeps)) swept[name] = await run(now, MAX_MS);
  await emptyWriteAheadLog();
  return swept;
}
