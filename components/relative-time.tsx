"use client";

import { useSyncExternalStore } from "react";
import { ageInWords } from "./age-in-words";
import styles from "./relative-time.module.css";
import { useWritten } from "./when";

/**
 * How long ago something happened, kept true while the page is open; a week later, the day or, with `precise`, the
 * second. A tooltip has the second for the pointer, and the text has it while it has the focus. For lists of what
 * happened lately: where times are compared or kept, `When` has them.
 */
export function RelativeTime({ at, precise = false }: { at: Date; precise?: boolean }) {
  const { day, second, inUtc } = useWritten(at);
  const ask = () => ageInWords((Date.now() - at.getTime()) / 1_000);
  const words = useSyncExternalStore(everyHalfMinute, ask, ask);
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
    for (const tell of listeners) tell();
  }, HALF_MINUTE_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
