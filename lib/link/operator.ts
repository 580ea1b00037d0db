import { type AuditEntry, SERVICE } from "@/lib/platform/audit";
import { db, sql } from "@/lib/platform/db/client";
import { pace } from "@/lib/platform/event-loop";
import { HOUR_MS, later, startOfHour } from "@/lib/platform/time";
import { describeProgram } from "@/lib/platform/user-agent";
import { guessesSince } from "./limits";
import { reportedName } from "./program";
import { codesByNetwork, outcomes } from "./queries";
import {
  APPROVE_WITHIN_SECONDS,
  COLLECT_WITHIN_SECONDS,
  isLive,
  type LinkStatus,
  QUESTION_RETENTION_SECONDS,
  STORED_STATES,
  secondsAfter,
  statusOf,
  TRANSITIONS,
} from "./states";

export const RECENT_SECONDS = 6 * 60 * 60;
/** The latest are read; further ones are only reported to exist. SQLite takes 999 values in one statement. */
export const MAX_RECENT = 900;

/** A request as an operator sees it. It never has a letter of its code. */
export interface RecentLink {
  id: string;
  status: LinkStatus;
  /** What the program calls itself, which may be wrong or empty. */
  program: string;
  /** The origin of the web page that requested it; null if none did. */
  webPage: string | null;
  network: string;
  createdAt: Date;
  /** It can still be approved or collected. */
  isLive: boolean;
  /** On how many other networks programs that did not prove to be its own polled for it, while it was live. */
  onlookers: number;
  /** How many accounts entered its code on the page. */
  entries: number;
}

/**
 * The requests of the last six hours, latest first, 900 at most, and whether these are all. An approval counts until
 * its time is over, also if its account has changed since.
 */
export async function recentLinks(now = new Date()): Promise<{ links: RecentLink[]; isAll: boolean }> {
  const since = secondsAfter(now, -RECENT_SECONDS);
  const rows = await db.linkCode.findMany({
    where: { createdAt: { gt: since } },
    orderBy: { createdAt: "desc" },
    take: MAX_RECENT + 1,
    select: {
      id: true,
      codeHash: true,
      status: true,
      createdAt: true,
      expiresAt: true,
      collectBy: true,
      network: true,
      program: true,
      name: true,
      webPage: true,
    },
  });
  const listed = rows.slice(0, MAX_RECENT);
  const [networks, entries] = await Promise.all([networksOf(listed), entriesOf(listed)]);
  const links = listed.map((link) => ({
    id: link.id,
    status: statusOf(link, true, now),
    program: reportedName(link),
    webPage: link.webPage,
    network: link.network,
    createdAt: link.createdAt,
    isLive: isLive(link, now),
    onlookers: networks.get(link.codeHash ?? "")?.size ?? 0,
    entries: entries.get(link.id) ?? 0,
  }));
  return { links, isAll: rows.length <= MAX_RECENT };
}

interface ListedLink {
  id: string;
  codeHash: string | null;
  network: string;
  createdAt: Date;
}

/** The networks that polled for each code, by its hash. */
async function networksOf(links: ListedLink[]): Promise<Map<string, Set<string>>> {
  const byHash = new Map(links.flatMap((link) => (link.codeHash === null ? [] : [[link.codeHash, link] as const])));
  const questions = await db.linkQuestion.findMany({
    where: { codeHash: { in: [...byHash.keys()] } },
    select: { codeHash: true, network: true, at: true },
    take: 10 * MAX_RECENT,
  });
  const networks = new Map<string, Set<string>>();
  for (const { codeHash, network, at } of questions) {
    const link = byHash.get(codeHash);
    if (!link || at < link.createdAt || network === link.network) continue;
    networks.set(codeHash, (networks.get(codeHash) ?? new Set()).add(network));
  }
  return networks;
}

async function entriesOf(links: ListedLink[]): Promise<Map<string, number>> {
  const counted = await db.linkEntry.groupBy({
    by: ["linkId"],
    where: { linkId: { in: links.map(({ id }) => id) } },
    _count: true,
  });
  return new Map(counted.map(({ linkId, _count }) => [linkId, _count]));
}

/** The latest questions, and events of programs, that are read. */
const MAX_READ = 2_000;
const MAX_SHOWN = 20;
/** Fewer foreign codes than this are typing errors. */
const FEW_CODES = 3;

/** A network that polled for codes of others, or for codes that do not exist. */
export interface GuessingNetwork {
  network: string;
  /** How many such codes it polled for. */
  codes: number;
  /** What its last program calls itself, which may be wrong or empty. */
  program: string;
  lastAt: Date;
  /** The limits that it reached, in the words of the audit trail. */
  limits: string[];
  /** Since when its programs need a user's permission, as those of a guesser; null: they do not. */
  alarmSince: Date | null;
}

type Guesser = Omit<GuessingNetwork, "alarmSince" | "codes" | "limits"> & { codes: Set<string>; limits: Set<string> };

/** The networks that guessed in the last hour, those with an alarm first, then by how much: 20 at most. */
export async function recentGuessers(now = new Date()): Promise<GuessingNetwork[]> {
  const since = secondsAfter(now, -QUESTION_RETENTION_SECONDS);
  const guessersByNetwork = new Map<string, Guesser>();
  const note = (network: string, program: string, at: Date): Guesser => {
    const guesser = guessersByNetwork.get(network) ?? {
      network,
      program,
      lastAt: at,
      codes: new Set(),
      limits: new Set(),
    };
    if (at > guesser.lastAt) Object.assign(guesser, { lastAt: at, program: program || guesser.program });
    guessersByNetwork.set(network, guesser);
    return guesser;
  };
  const [questions, refusals] = await Promise.all([
    db.linkQuestion.findMany({ where: { at: { gt: since } }, orderBy: { at: "desc" }, take: MAX_READ }),
    db.auditEvent.findMany({
      where: { actorId: null },
      orderBy: { id: "desc" },
      take: MAX_READ,
      select: { at: true, action: true, subjectId: true, detail: true },
    }),
  ]);
  for (const { network, program, at, codeHash } of questions)
    note(network, describeProgram(program), at).codes.add(codeHash);
  for (const { at, action, subjectId, detail } of refusals) {
    const { limit, program = "" }: Record<string, string> = JSON.parse(detail);
    if (action === "link.refuse" && limit !== undefined && at > since) note(subjectId, program, at).limits.add(limit);
  }
  const listed = [...guessersByNetwork.values()]
    .filter(({ codes, limits }) => codes.size >= FEW_CODES || limits.size > 0)
    .sort((one, other) => other.codes.size - one.codes.size || other.lastAt.getTime() - one.lastAt.getTime())
    .slice(0, MAX_SHOWN);
  const guessers = await Promise.all(
    listed.map(async ({ codes, limits, ...one }) => ({
      ...one,
      codes: codes.size,
      limits: [...limits].sort(),
      alarmSince: await guessesSince(one.network),
    })),
  );
  return guessers.sort((one, other) => Number(other.alarmSince !== null) - Number(one.alarmSince !== null));
}

/** The number of link requests in each state, of the time in which a code can be approved. */
export async function countLinkStates(now = new Date()): Promise<Record<string, number>> {
  const counted = await db.linkCode.groupBy({
    by: ["status"],
    where: { createdAt: { gt: secondsAfter(now, -APPROVE_WITHIN_SECONDS) } },
    _count: true,
  });
  const states: Record<string, number> = Object.fromEntries(STORED_STATES.map((state) => [state, 0]));
  for (const { status, _count } of counted) states[status] = _count;
  return states;
}

/** Counted with one statement: on SQLite, others wait for it. */
const SLICE_MS = 5 * 60_000;

/** After this time, no code can end in another way. */
const SETTLED_AFTER_MS = (APPROVE_WITHIN_SECONDS + COLLECT_WITHIN_SECONDS + 120) * 1000;

/** The end of the last hour whose codes are settled: from before it, nothing has to be counted again. */
export const outcomesCountedTo = (now: Date) => startOfHour(later(now, -SETTLED_AFTER_MS));

async function* slicesOf(hour: Date): AsyncGenerator<[from: Date, to: Date]> {
  const others = pace();
  for (let from = hour; from < later(hour, HOUR_MS); from = later(from, SLICE_MS), await others())
    yield [from, later(from, SLICE_MS)];
}

/**
 * What has become, until `now`, of the codes that were issued in the hour from this time on. Those that are still open
 * are `asked` only.
 */
export async function countOutcomes(hour: Date, now: Date) {
  const counted = { asked: 0, linked: 0, denied: 0, expired: 0 };
  for await (const [from, to] of slicesOf(hour))
    for (const { outcome, count } of await sql.read(outcomes(from, to, now))) {
      counted.asked += count;
      if (outcome === TRANSITIONS.collect.to) counted.linked += count;
      if (outcome === TRANSITIONS.deny.to) counted.denied += count;
      if (outcome === "expired") counted.expired += count;
    }
  return counted;
}

/** Networks of an hour that are named, those that requested most: an attacker may have any number of them. */
const MAX_NAMED = 1_000;

/** How many codes each network requested in the hour from this time on, in the words of the audit trail. */
export async function auditCodeRequests(hour: Date, now: Date): Promise<AuditEntry[]> {
  const codesOf = new Map<string, number>();
  for await (const [from, to] of slicesOf(hour))
    for (const { network, codes } of await sql.read(codesByNetwork(from, to)))
      codesOf.set(network, (codesOf.get(network) ?? 0) + codes);
  const sorted = [...codesOf].sort(([, one], [, other]) => other - one);
  const [named, further] = [sorted.slice(0, MAX_NAMED), sorted.slice(MAX_NAMED)];
  const entry = (subjectId: string, codes: number, detail: Record<string, string>): AuditEntry => ({
    at: now,
    action: "link.ask",
    subjectId,
    actorId: null,
    detail: { ...detail, codes: String(codes), hour: hour.toISOString() },
  });
  const entries = named.map(([network, codes]) => entry(network, codes, { network }));
  if (further.length === 0) return entries;
  const sum = further.reduce((before, [, codes]) => before + codes, 0);
  return [...entries, entry(SERVICE, sum, { networks: String(further.length) })];
}

/** When the first code was issued, from this time on; null if none was. */
export async function firstCodeSince(since: Date): Promise<Date | null> {
  const first = await db.linkCode.findFirst({
    where: { createdAt: { gte: since } },
    orderBy: { createdAt: "asc" },
    select: { createdAt: true },
  });
  return first?.createdAt ?? null;
}
