import { type SqlTransaction, sql } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { recount, USERS_AT_ONCE } from "./recount";
import {
  beginSweep,
  countedTo,
  creatorsOf,
  eventsAfter,
  filledTo,
  lastEvent,
  lockedSweep,
  recordedCreatorsOf,
  sweptAt,
  uncountedDocuments,
  usersAfter,
} from "./rows";

/** A sweep ends after this long; the next one continues. */
const LONGEST_MS = 30_000;
const EVENTS_AT_ONCE = 500;
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
 * counted.
 */
export async function sweepSummaries(now = new Date()): Promise<number> {
  const until = performance.now() + LONGEST_MS;
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

/** Repeats a step that returns null once nothing is left, each in its own transaction with the sweep locked. */
async function inSteps(until: number, step: (tx: SqlTransaction) => Promise<number | null>): Promise<Step> {
  for (let counted = 0; ; await turnOfOthers()) {
    const more = await sql.write(step);
    if (more === null) return { counted, isComplete: true };
    counted += more;
    if (performance.now() > until) return { counted, isComplete: false };
  }
}

/** Gives every user a row, in the order of ids. */
function fill(until: number): Promise<Step> {
  return inSteps(until, async (tx) => {
    const from = (await lock(tx)).filledTo;
    if (from === null) return null;
    const users = await tx.read(usersAfter(from, USERS_AT_ONCE));
    const counted = await recount(
      tx,
      users.map(({ id }) => id),
    );
    await tx.write(filledTo(users.at(-1)?.id ?? null));
    return counted;
  });
}

/** Counts the users that events of the audit trail tell of. */
function countEvents(now: Date, until: number): Promise<Step> {
  let from = 0;
  return inSteps(until, async (tx) => {
    const { eventId } = await lock(tx);
    from = Math.max(from, eventId);
    const events = await tx.read(eventsAfter(from, EVENTS_AT_ONCE));
    const last = events.at(-1);
    if (!last) return null;
    const subjects = (actions: string[]) =>
      events.filter(({ action }) => actions.includes(action)).map(({ subjectId }) => subjectId);
    const changedKeys = subjects(["key.update", "key.delete"]);
    const creators =
      changedKeys.length === 0
        ? []
        : [...(await tx.read(creatorsOf(changedKeys))), ...(await tx.read(recordedCreatorsOf(changedKeys)))];
    const created = events.filter(({ action }) => action === "key.create");
    const counted = await recount(
      tx,
      [
        ...subjects(ABOUT_USERS),
        ...[...created.map(({ actorId }) => actorId), ...creators.map(({ userId }) => userId)],
      ].filter((id) => id !== null),
    );
    const settledEvent = events.findLast(({ at }) => at <= settled(now));
    if (settledEvent) await tx.write(countedTo(settledEvent.id));
    from = last.id;
    return counted;
  });
}

/** Counts the documents that were published since the last time. */
async function countDocuments(until: number): Promise<Step> {
  let since: Date | undefined;
  return inSteps(until, async (tx) => {
    const { publishedAt } = await lock(tx);
    const documents = await tx.read(uncountedDocuments(since ?? publishedAt, USERS_AT_ONCE));
    since = documents.at(-1)?.publishedAt;
    if (since === undefined) return null;
    return recount(
      tx,
      documents.map(({ userId }) => userId),
    );
  });
}

async function lock(tx: SqlTransaction) {
  const [state] = await tx.write(lockedSweep());
  if (!state) throw new Error("The row of UserSummarySweep is missing.");
  return state;
}
