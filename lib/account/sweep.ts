import { sweepSessions } from "@/lib/auth/sessions";
import { emptyWriteAheadLog } from "@/lib/db/write-ahead-log";
import { sweepFiles } from "@/lib/files/sweep";
import { sweepLinks } from "@/lib/link/sweep";
import { sweepDeletions } from "./delete";

/** What removes things that have outlived their use, by what it removes. Each answers how many there were. */
export const sweeps = { codes: sweepLinks, filePieces: sweepFiles, sessions: sweepSessions, accounts: sweepDeletions };

/** Does all of it once. */
export async function sweepAll(now = new Date()): Promise<Record<keyof typeof sweeps, number>> {
  const swept = { codes: await sweepLinks(now), filePieces: await sweepFiles(now), sessions: await sweepSessions(now), accounts: await sweepDeletions(now) };
  await emptyWriteAheadLog();
  return swept;
}
