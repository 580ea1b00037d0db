import { db } from "@/lib/db/client";
import { guessesSince } from "./guesses";
import { secondsAfter } from "./lifetimes";
import { describeProgram } from "./program";

/** As long as questions are kept. */
export const SEEN_SECONDS = 60 * 60;
/** The latest questions, and events of programs, that are read. */
const MOST_READ = 2_000;
const MOST_SHOWN = 20;
/** Fewer foreign codes than this are typing errors. */
const FEW_CODES = 3;

/** A network that asked for codes of others, or for codes that do not exist. */
export interface GuessingNetwork {
  network: string;
  /** How many such codes it asked for. */
  codes: number;
  /** What its last program calls itself; may be empty. A claim, not a fact. */
  program: string;
  lastAt: Date;
  /** The limits that it reached, in the words of the audit trail. */
  limits: string[];
  /** Since when its programs need a person's word, as those of a guesser; null: they do not. */
  alarmSince: Date | null;
}

type Seen = Omit<GuessingNetwork, "alarmSince" | "codes" | "limits"> & { codes: Set<string>; limits: Set<string> };

/** The networks that guessed in the last hour, those with an alarm first, then by how much: 20 at most. */
export async function recentGuessers(now = new Date()): Promise<GuessingNetwork[]> {
  const since = secondsAfter(now, -SEEN_SECONDS);
  const seen = new Map<string, Seen>();
  const note = (network: string, program: string, at: Date): Seen => {
    const known = seen.get(network) ?? { network, program, lastAt: at, codes: new Set(), limits: new Set() };
    if (at > known.lastAt) Object.assign(known, { lastAt: at, program: program || known.program });
    seen.set(network, known);
    return known;
  };
  const [questions, refusals] = await Promise.all([
    db.linkQuestion.findMany({ where: { at: { gt: since } }, orderBy: { at: "desc" }, take: MOST_READ }),
    db.auditEvent.findMany({
      where: { actorId: null },
      orderBy: { id: "desc" },
      take: MOST_READ,
      select: { at: true, action: true, subjectId: true, detail: true },
    }),
  ]);
  for (const { network, program, at, codeHash } of questions)
    note(network, describeProgram(program), at).codes.add(codeHash);
  for (const { at, action, subjectId, detail } of refusals) {
    const { limit, program = "" }: Record<string, string> = JSON.parse(detail);
    if (action === "link.refuse" && limit !== undefined && at > since) note(subjectId, program, at).limits.add(limit);
  }
  const most = [...seen.values()]
    .filter(({ codes, limits }) => codes.size >= FEW_CODES || limits.size > 0)
    .sort((one, other) => other.codes.size - one.codes.size || other.lastAt.getTime() - one.lastAt.getTime())
    .slice(0, MOST_SHOWN);
  const guessers = await Promise.all(
    most.map(async ({ codes, limits, ...one }) => ({
      ...one,
      codes: codes.size,
      limits: [...limits].sort(),
      alarmSince: await guessesSince(one.network),
    })),
  );
  return guessers.sort((one, other) => Number(other.alarmSince !== null) - Number(one.alarmSince !== null));
}
