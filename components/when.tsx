"use client";

import { useSyncExternalStore } from "react";

/**
 * A day, or with `precise` a second, in the viewer's time zone. The server does not know it: it writes UTC, and so does
 * the browser until hydration. The tooltip has the second in UTC.
 */
export function When({ at, precise = false }: { at: Date; precise?: boolean }) {
  const isHere = useSyncExternalStore(neverChanges, inBrowser, onServer);
  const inUtc = `${UTC.second.format(at)} UTC`;
  const shown = isHere ? here()[precise ? "second" : "day"].format(at) : precise ? inUtc : UTC.day.format(at);
  return (
    <time dateTime={at.toISOString()} title={inUtc}>
      {shown}
    </time>
  );
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
