"use client";

import { useSyncExternalStore } from "react";
import styles from "./content.module.css";

const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60 });
const WEEK = 7 * 86_400;

/**
 * How long ago something happened, such as "3 minutes ago". Null for a week and more: then a day says more. What a
 * wrong clock places in the future happened "a moment ago".
 */
export function ageInWords(seconds: number): string | null {
  if (seconds >= WEEK) return null;
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? [];
  if (length === undefined) return "a moment ago";
  const count = Math.floor(seconds / length);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** How long ago something was used, if ever, as lists have it. */
export function LastUsed({ at, precise }: { at: Date | null; precise?: boolean }) {
  return at ? (
    <span>
      last used <RelativeTime at={at} precise={precise} />
    </span>
  ) : (
    <span>never used</span>
  );
}

/**
 * How long ago something happened, kept true while the page is open; a week later, the day or, with `precise`, the
 * second. A tooltip has the second for the pointer, and the text has it while it has the focus. For lists of what
 * happened lately: where times are compared or kept, `When` has them.
 */
export function RelativeTime({ at, precise = false }: { at: Date; precise?: boolean }) {
  const { day, second, inUtc } = useWritten(at);
  const age = () => ageInWords((Date.now() - at.getTime()) / 1_000);
  const words = useSyncExternalStore(everyHalfMinute, age, age);
  // The server wrote its words a moment before the browser takes them over.
  return (
    <time
      dateTime={at.toISOString()}
      title={second === inUtc ? inUtc : `${second} (${inUtc})`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard and a finger must reach the second
      tabIndex={0}
      className={styles.time}
    >
      <span suppressHydrationWarning>{words ?? (precise ? second : day)}</span>
      <span>{second}</span>
    </time>
  );
}

const HALF_MINUTE_MS = 30_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all of a page. */
function everyHalfMinute(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, HALF_MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A day, or a minute, or with `precise` a second, in the viewer's time zone. The tooltip has the second in UTC. */
export function When({ at, precise = false }: { at: Date; precise?: boolean | "minute" }) {
  const { day, minute, second, inUtc } = useWritten(at);
  return (
    <time dateTime={at.toISOString()} title={inUtc}>
      {precise === "minute" ? minute : precise ? second : day}
    </time>
  );
}

/**
 * A second in UTC, with that of the viewer's time zone in the tooltip: where days and times in UTC select what is
 * shown, so that a link to it means the same everywhere.
 */
export function WhenInUtc({ at }: { at: Date }) {
  const { second, inUtc } = useWritten(at);
  return (
    <time dateTime={at.toISOString()} title={second === inUtc ? undefined : `${second} here`}>
      {inUtc}
    </time>
  );
}

/**
 * A time's day, minute and second in the viewer's time zone, and its second in UTC. The server does not know the zone:
 * it writes UTC, and so does the browser until hydration.
 */
function useWritten(at: Date): { day: string; minute: string; second: string; inUtc: string } {
  const isHere = useSyncExternalStore(neverChanges, inBrowser, onServer);
  const { day, minute, second } = isHere ? here() : UTC;
  const inUtc = `${UTC.second.format(at)} UTC`;
  return { day: day.format(at), minute: minute.format(at), second: isHere ? second.format(at) : inUtc, inUtc };
}

const neverChanges = () => () => {};
const inBrowser = () => true;
const onServer = () => false;

const formats = (timeZone?: string) => ({
  day: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone }),
  minute: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }),
  second: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone }),
});

const UTC = formats("UTC");
let ofThisBrowser: typeof UTC | undefined;

function here(): typeof UTC {
  ofThisBrowser ??= formats();
  return ofThisBrowser;
}
