import { z } from "zod";
import { invalidParameter } from "@/lib/platform/errors";

/** Later ends are mistakes, most often milliseconds in place of seconds. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59);
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)$/;

const PAST = "must be in the future";

/** When access ends: at a full second, or never. */
export type AccessEnd = Date | "never";

/**
 * An end as clients send it: Unix seconds, or ISO 8601 with a zone, whose fraction of a second is dropped; or `never`
 * (contract, section 2: until). Whether it is in the future is for `requireFuture`: a repeated request may come later.
 */
export const requestedEnd = z
  .string()
  .transform((text, context): AccessEnd => {
    const end = text === "never" ? text : readEnd(text);
    const problem = end === null ? "must be Unix seconds, or ISO 8601 with a time zone, or never" : problemOf(end);
    if (end !== null && problem === null) return end;
    context.issues.push({ code: "custom", message: problem ?? "", input: text });
    return z.NEVER;
  })
  .meta({
    description:
      'When the access ends: Unix seconds, or ISO 8601 with a time zone; "never" removes the end date. ' +
      "Without it, a new holder's access never expires, and existing access stays as it is.",
  });

/** The same, in the future when it is read. */
export const until = requestedEnd.refine((end) => !isPast(end, new Date()), PAST);

/** Throws 400 `invalid_parameter` for an end that is not in the future, or not before the year 10000. */
export function requireFuture(end: AccessEnd | undefined, now: Date): void {
  const problem = end === undefined ? null : (problemOf(end) ?? (isPast(end, now) ? PAST : null));
  if (problem !== null) throw invalidParameter(`The parameter until ${problem}.`, "end");
}

/** The condition, for Prisma's client, that a holder's access has not ended. */
export const notEnded = (now: Date) => ({ OR: [{ until: null }, { until: { gt: now } }] });

/** Whether access with this end is over at that time: at the very second of its end. */
export const isOver = (end: Date | null, now: Date): boolean => end !== null && end <= now;

function readEnd(text: string): Date | null {
  if (/^\d{1,15}$/.test(text)) return new Date(Number(text) * 1000);
  if (!ISO.test(text)) return null;
  const [date = "", zone = ""] = [text.slice(0, 19), /(Z|[+-]\d\d:?\d\d)$/.exec(text)?.[0]];
  const seconds = /T\d\d:\d\d:\d\d/.test(date) ? date : `${text.slice(0, 16)}:00`;
  const at = new Date(`${seconds}${zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`);
  return Number.isNaN(at.getTime()) || !isOnCalendar(seconds) ? null : at;
}

/** `Date` moves 31 February into March. */
function isOnCalendar(local: string): boolean {
  const at = new Date(`${local}Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(local);
}

const isPast = (end: AccessEnd, now: Date): boolean => end !== "never" && end <= now;

function problemOf(end: AccessEnd): string | null {
  if (end !== "never" && (Number.isNaN(end.getTime()) || end.getTime() > LATEST))
    return "must be before the year 10000. Unix times are in seconds here, not in milliseconds";
  return null;
}
