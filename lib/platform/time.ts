export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The beginning of the hour (UTC) that this time is in. */
export const startOfHour = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

/** The beginning of the day (UTC) that this time is in. */
export const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** Clocks of machines that serve together differ by this much at most. */
export const CLOCKS_APART_MS = 60_000;

/** The latest time that now can have. What is later is from before the clock was set back: its age is unknown. */
export const latestNow = (now: Date) => later(now, CLOCKS_APART_MS);

/** Whether something happened within the last `ms`: neither before, nor in the future. */
export function isRecent(ms: number, at: Date, now: Date): boolean {
  const age = now.getTime() - at.getTime();
  return age < ms && age >= -CLOCKS_APART_MS;
}
/** The same as a condition of the database. */
export const within = (ms: number, now: Date) => ({ gt: later(now, -ms), lte: latestNow(now) });

/** Whether something that ends then, and lasts `ms`, has begun and is not over. */
export function isLasting(ms: number, end: Date, now: Date): boolean {
  const left = end.getTime() - now.getTime();
  return left > 0 && left <= ms + CLOCKS_APART_MS;
}
/** The same as a condition of the database. */
export const lasting = (ms: number, now: Date) => ({ gt: now, lte: latestNow(later(now, ms)) });

/** The time this many milliseconds later, or earlier if negative. */
export const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
