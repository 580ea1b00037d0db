import { type SqlTransaction, sql } from "@/lib/platform/db/client";
import { despiteDeletions } from "@/lib/platform/db/lock";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { COUNTED } from "@/lib/platform/limits/events";
import { type CountedEvent, eventsAfter, lastEvent } from "@/lib/user-data/queries";
import {
  beginSweep,
  between,
  countedTo,
  creatorsOf,
  filledTo,
  lastOfNext,
  lockedSweep,
  recordedCreatorsOf,
  recount,
  sweptAt,
  these,
  uncountedDocuments,
  usersWithoutRow,
} from "./queries";

/** A sweep ends after this long; the next one continues. */
const MAX_MS = 30_000;
const EVENTS_AT_ONCE = 500;
/** Users per statement: SQLite does nothing else meanwhile. */
const USERS_AT_ONCE = 200;
/**
 * What is younger is counted again the next time: a transaction may commit after one that began later, and the clocks
 * of processes differ.
 */
const SETTLED_MS = 10 * 60_000;
/** The same, for the events before the first filling, in events. */
const SETTLED_EVENTS = 10_000;

/** Actions after which the user that they are about, their subject, has another row. */
const ABOUT_USERS = [
  "user.create",
  "user.signin",
  "user.role",
  "user.disable",
  "user.enable",
  "user.password",
  "recovery.use",
];

/**
 * Brings the rows for lists of users up to date: first a row for every user, then whatever changed since the last time,
 * however long ago: keys and sign-ins by the audit trail, documents by their time of publication. Everything is counted
 * from what is stored, so it may be repeated, stopped and run by several processes. Returns how many users were
 * counted. A list that counted 300,000 keys by user itself would take SQLite 101 ms in place of 0.3, and nobody else is
 * answered meanwhile.
 */
export async function sweepSummaries(now = new Date()): Promise<number> {
  const until = performance.now() + MAX_MS;
  await begin(now);
  const filled = await fill(until);
  if (!filled.isComplete) return filled.counted;
  const events = await countEvents(now, until);
  const documents = await countDocuments(until);
  if (events.isComplete && documents.isComplete) await sql.batch([sweptAt(settled(now), now)]);
  return filled.counted + events.counted + documents.counted;
}

interface Step {
  counted: number;
  /** Whether nothing is left to do. */
  isComplete: boolean;
}

const settled = (now: Date) => new Date(now.getTime() - SETTLED_MS);

async function begin(now: Date): Promise<void> {
  const [last] = await sql.read(lastEvent());
  await sql.batch([beginSweep(Math.max(0, (last?.id ?? 0) - SETTLED_EVENTS), settled(now))]);
}

/** What a step did, and where the next one continues. Null: nothing is left. */
type Progress<Position> = { counted: number; position: Position } | null;

/** Repeats a step, each time in its own transaction with the sweep locked. */
async function inSteps<Position>(
  until: number,
  start: Position,
  step: (tx: SqlTransaction, position: Position) => Promise<Progress<Position>>,
): Promise<Step> {
  let position = start;
  for (let counted = 0; ; await turnOfOthers()) {
    const progress = await despiteDeletions(() => sql.write((tx) => step(tx, position)));
    if (progress === null) return { counted, isComplete: true };
    counted += progress.counted;
    position = progress.position;
    if (performance.now() > until) return { counted, isComplete: false };
  }
}

/**
 * Gives users a row who have none, for half a minute at most. For a list that must have all of them at once: the sweep
 * comes in some minutes.
 */
export async function fillSummaries(now = new Date()): Promise<void> {
  if (!(await areSomeWithoutRow())) return;
  await begin(now);
  await fill(performance.now() + MAX_MS);
}

async function areSomeWithoutRow(): Promise<boolean> {
  const [without] = await sql.read(usersWithoutRow());
  return without !== undefined && without.count > 0;
}

/** Gives every user a row, in the order of ids; again if some have none. */
async function fill(until: number): Promise<Step> {
  let isAgain = await areSomeWithoutRow();
  return inSteps(until, null, async (tx) => {
    const from = (await lock(tx)).filledTo ?? (isAgain ? "" : null);
    isAgain = false;
    if (from === null) return null;
    const [next] = await tx.read(lastOfNext(from, USERS_AT_ONCE));
    const to = next?.id ?? null;
    const counted = to === null ? 0 : await tx.write(recount(between(from, to)));
    await tx.write(filledTo(to));
    return { counted, position: null };
  });
}

/** Counts the users that events of the audit trail tell of. */
function countEvents(now: Date, until: number): Promise<Step> {
  return inSteps(until, 0, async (tx, position) => {
    const { eventId } = await lock(tx);
    const events = await tx.read(eventsAfter(Math.max(position, eventId), EVENTS_AT_ONCE));
    const last = events.at(-1);
    if (!last) return null;
    const counted = await recountUsers(tx, await usersOf(tx, events));
    const settledEvent = events.findLast(({ at }) => at <= settled(now));
    if (settledEvent) await tx.write(countedTo(settledEvent.id));
    return { counted, position: last.id };
  });
}

/** The users whose rows these events may change. */
async function usersOf(tx: SqlTransaction, events: readonly CountedEvent[]): Promise<string[]> {
  const subjects = (actions: readonly string[]) =>
    events.filter(({ action }) => actions.includes(action)).map(({ subjectId }) => subjectId);
  const creators = events.flatMap(({ action, actorId, subjectId }) =>
    actorId && (action === "key.create" || action === "key.delete" || subjectId === COUNTED) ? [actorId] : [],
  );
  const keys = subjects(["key.update", "key.delete", "key.accept"]);
  if (keys.length > 0)
    for (const query of [creatorsOf(keys), recordedCreatorsOf(keys)])
      for (const { userId } of await tx.read<{ userId: string | null }>(query)) if (userId) creators.push(userId);
  return [...subjects(ABOUT_USERS), ...creators];
}

/** Counts the documents that were published since the last time. */
function countDocuments(until: number): Promise<Step> {
  return inSteps(until, new Date(0), async (tx, position) => {
    const { publishedAt } = await lock(tx);
    const since = new Date(Math.max(position.getTime(), publishedAt.getTime()));
    const documents = await tx.read(uncountedDocuments(since, USERS_AT_ONCE));
    const last = documents.at(-1);
    if (!last) return null;
    const users = documents.map(({ userId }) => userId);
    return { counted: await recountUsers(tx, users), position: last.publishedAt };
  });
}

async function recountUsers(tx: SqlTransaction, userIds: Iterable<string>): Promise<number> {
  const ids = [...new Set(userIds)];
  let counted = 0;
  for (let from = 0; from < ids.length; from += USERS_AT_ONCE)
    counted += await tx.write(recount(these(ids.slice(from, from + USERS_AT_ONCE))));
  return counted;
}

async function lock(tx: SqlTransaction) {
  const [state] = await tx.write(lockedSweep());
  if (!state) throw new Error("The row of UserSummarySweep is missing.");
  return state;
}
