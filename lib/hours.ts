export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The beginning of the hour (UTC) that this time is in. */
export const startOfHour = (time: Date) => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);

/** The beginning of the day (UTC) that this time is in. */
export const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** The time this many milliseconds later, or earlier if negative. */
export const later = (time: Date, ms: number) => new Date(time.getTime() + ms);
