import { AsyncResource } from "node:async_hooks";
import { ACCOUNT_EVENTS_A_DAY } from "../bounds";
import { sql, transaction } from "../db/client";
import { isUnavailable } from "../db/errors";
import { log } from "../log";
import { dropOldest, perProcess } from "../process";
import { DAY_MS, HOUR_MS } from "../time";
import { recordedSince } from "./queries";

/** The subject of events that say how many more there were of their kind. No id is this word. */
export const COUNTED = "counted";

/**
 * Events of a kind that an account leaves in a process before that asks the database how many there are: most leave
 * fewer. As many may be recorded beyond the share, and those that are recorded at the same time.
 */
const FIRST_COUNT = 100;
/** A process asks again when so much of what is left is used. */
const PART_OF_THE_LEFT = 4;
/**
 * Of these, only the latest are kept (lib/accounts/session/sessions.ts), and they say which networks an account knows.
 */
const BOUNDED_ALREADY = "user.signin";
/**
 * The latest events of the account among which those of this day are counted: more than it can leave of all kinds.
 * Otherwise a few floods at a time would push each other out of what is counted.
 */
const READ = 30 * ACCOUNT_EVENTS_A_DAY;
/** Shares that a process remembers. One that it forgot begins anew, until it counts. */
const MAX_REMEMBERED = 10_000;
/** How long a process counts by itself. If it is killed, that much is lost. */
const EVERY_MS = 10_000;

/** How much of a day an account has used for one kind of event. */
interface Share {
  /** Days since 1970 (UTC). */
  day: number;
  /** Those that the database had, and those that this process has built since: not all of them are written. */
  events: number;
  countAt: number;
  /** Only if the database says so: until the day ends. */
  isFull: boolean;
}

/** Events of an hour that are not recorded one by one. */
interface Counted {
  actorId: string;
  action: string;
  hour: number;
  count: number;
  /** The event that says how many, and how many it says. */
  stored?: { id: number; count: number };
}

const state = perProcess("events of accounts", () => ({
  shares: new Map<string, Share>(),
  counted: new Map<string, Counted>(),
  writing: Promise.resolve(),
  timer: undefined as NodeJS.Timeout | undefined,
}));

/** A timer would keep the request in which it began. */
const outside = new AsyncResource("counted events");

/** What an account does, and when. */
interface Deed {
  actorId: string;
  action: string;
  at: Date;
}

/**
 * Whether this event is only counted, because the account has left `ACCOUNT_EVENTS_A_DAY` of its kind in the day
 * (UTC), or some hundreds more: one event for each hour, process and kind then says how many more there were. So a
 * flood of one kind hides no other, and removes nothing that was recorded before it. Events that are built here and
 * never written, as of a change that was refused, hide none.
 */
export function isOnlyCounted(deed: Deed): boolean {
  if (deed.action === BOUNDED_ALREADY) return false;
  const day = Math.floor(deed.at.getTime() / DAY_MS);
  const key = `${deed.actorId} ${deed.action}`;
  const existing = state.shares.get(key);
  const share = existing?.day === day ? existing : { day, events: 0, countAt: FIRST_COUNT, isFull: false };
  state.shares.delete(key);
  state.shares.set(key, share);
  dropOldest(state.shares, MAX_REMEMBERED);
  if (share.isFull) {
    count(deed);
    return true;
  }
  share.events++;
  if (share.events >= share.countAt) void countAgain(share, deed);
  return false;
}

/** Whether events of this account and kind are only counted now: build one once its change is sure. */
export function isShareUsedUp({ actorId, action, at }: Deed): boolean {
  const share = state.shares.get(`${actorId} ${action}`);
  return share?.isFull === true && share.day === Math.floor(at.getTime() / DAY_MS);
}

/**
 * Other processes, and this one before it was restarted, have recorded events of this day, too, and not all that were
 * built here were written. If they cannot be counted, those that were built stand for them.
 */
async function countAgain(share: Share, deed: Deed): Promise<void> {
  share.countAt = Number.POSITIVE_INFINITY;
  const before = share.events;
  let stored: number | undefined;
  try {
    const [row] = await sql.read(recordedSince(deed, { since: new Date(share.day * DAY_MS), read: READ }));
    stored = row?.count ?? 0;
    share.events += stored - before;
  } catch (error) {
    if (!isUnavailable(error)) log.warn({ err: error }, "the events of an account could not be counted");
  }
  share.isFull = (stored ?? share.events) >= ACCOUNT_EVENTS_A_DAY;
  const left = ACCOUNT_EVENTS_A_DAY - share.events;
  share.countAt = share.events + Math.max(FIRST_COUNT, left / PART_OF_THE_LEFT);
}

function count({ actorId, action, at }: Deed): void {
  const hour = Math.floor(at.getTime() / HOUR_MS);
  const key = `${actorId} ${action} ${hour}`;
  const counted = state.counted.get(key) ?? { actorId, action, hour, count: 0 };
  counted.count++;
  state.counted.set(key, counted);
  state.timer ??= outside.runInAsyncScope(() => setTimeout(addCounted, EVERY_MS).unref());
}

/** Writes into the audit trail what this process has counted. Does not throw: the next time adds it. */
export function addCounted(now = new Date()): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  state.writing = state.writing.then(() => write(now));
  return state.writing;
}

async function write(now: Date): Promise<void> {
  for (const [key, counted] of state.counted) {
    const { count, stored } = counted;
    try {
      if (count !== stored?.count) counted.stored = await store(counted, now);
      if (counted.count === count && counted.hour < Math.floor(now.getTime() / HOUR_MS)) state.counted.delete(key);
    } catch (error) {
      if (!isUnavailable(error))
        log.warn({ err: error }, "counted events could not be recorded; the next time adds them");
      state.timer ??= outside.runInAsyncScope(() => setTimeout(addCounted, EVERY_MS).unref());
    }
  }
}

async function store({ actorId, action, hour, count, stored }: Counted, at: Date) {
  const detail = JSON.stringify({ more: String(count), hour: new Date(hour * HOUR_MS).toISOString() });
  const data = { at, action, subjectId: COUNTED, actorId, detail };
  return transaction(async (tx) => {
    // Who reads what is new by its id or its time would not see that an event says more.
    if (stored) await tx.auditEvent.deleteMany({ where: { id: stored.id } });
    return { id: Number((await tx.auditEvent.create({ data })).id), count };
  });
}
