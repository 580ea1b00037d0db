"use client";

import { useEffect, useState } from "react";
import { ageInWords } from "@/components/content/time";
import styles from "./page.module.css";

const SPOKEN_MINUTES = [1, 2, 5];

interface Props {
  seconds: number;
  /** Words before the time, and after it. */
  before?: string;
  after?: string;
}

/** Counts down from `seconds` as "4:12". Screen readers have it in minutes, and say it at 5, 2 and 1 only. */
export function Countdown({ seconds, before = "", after = "" }: Props) {
  const left = useSecondsLeft(seconds);
  const [longest] = useState(Math.ceil(seconds / 60));
  const minutes = SPOKEN_MINUTES.find((passed) => left <= passed * 60 && passed < longest) ?? longest;
  return (
    <>
      <span aria-hidden="true">
        <span>{before}</span>
        <span className={styles.clock}>{`${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}</span>
        <span>{after}</span>
      </span>
      <span className={styles.spoken} role="timer" aria-live="polite">
        {`${before}${minutes} ${minutes === 1 ? "minute" : "minutes"}${after}`}
      </span>
    </>
  );
}

/** Counted from the last update of `seconds`, so that a wrong clock of this machine does not matter. */
function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);

  useEffect(() => {
    const updatedAt = performance.now();
    const count = () => setLeft(Math.max(0, Math.ceil(seconds - (performance.now() - updatedAt) / 1_000)));
    count();
    const timer = setInterval(count, 1_000);
    return () => clearInterval(timer);
  }, [seconds]);

  return left;
}

const MAX_SECONDS = 90;

/** How long ago something happened, as the beginning of a sentence: to the second while that matters. */
export function Since({ seconds }: { seconds: number }) {
  if (seconds >= 5 && seconds < MAX_SECONDS) return <span>{`${seconds} seconds ago`}</span>;
  const words = ageInWords(seconds) ?? "more than a week ago";
  return <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>;
}
