"use client";

import { useSyncExternalStore } from "react";

/** A day, or with `precise` a second, in the viewer's time zone. The tooltip has the second in UTC. */
export function When({ at, precise = false }: { at: Date; precise?: boolean }) {
  const { day, second, inUtc } = useWritten(at);
  return (
    <time dateTime={at.toISOString()} title={inUtc}>
      {precise ? second : day}
    </time>
  );
}

/**
 * A time's day and second in the viewer's time zone, and its second in UTC. The server does not know the zone: it
 * writes UTC, and so does the browser until hydration.
 */
export function useWritten(at: Date): { day: string; second: string; inUtc: string } {
  const isHere = useSyncExternalStore(neverChanges, inBrowser, onServer);
  const inUtc = `${UTC.second.format(at)} UTC`;
  if (!isHere) return { day: UTC.day.format(at), second: inUtc, inUtc };
  return { day: here().day.format(at), second: here().second.format(at), inUtc };
}

const neverChanges = () => () => {};
const inBrowser = () => true;
const onServer = () => false;

const formats = (timeZone?: string) => ({
  day: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone }),
  second: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone }),
});

const UTC = formats("UTC");
let ofThisBrowser: typeof UTC | undefined;

function here(): typeof UTC {
  ofThisBrowser ??= formats();
  return ofThisBrowser;
}
