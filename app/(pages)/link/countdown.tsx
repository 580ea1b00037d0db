"use client";

import { useEffect, useState } from "react";
import { ageInWords } from "@/components/content/time";
import styles from "./countdown.module.css";

const SPOKEN_MINUTES = [5, 2, 1];

/** Counts down from `seconds` as "4:12". Screen readers announce it at 5, 2 and 1 minutes only. */
export function Countdown({ seconds }: { seconds: number }) {
  const left = useSecondsLeft(seconds);
  const spoken = SPOKEN_MINUTES.find((minutes) => left <= minutes * 60 && left > minutes * 60 - 10);
  return (
    <>
      <span className={styles.clock} aria-hidden="true">
        {`${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`}
      </span>
      <span className={styles.spoken} role="timer" aria-live="polite">
        {spoken && `${spoken} ${spoken === 1 ? "minute" : "minutes"}`}
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

/** The code, large, to compare with what the program shows. Screen readers spell it out. */
export function CodePlate({ code, isDone = false }: { code: string; isDone?: boolean }) {
  return (
    <div
      className={styles.plate}
      data-done={isDone || undefined}
      role="img"
      translate="no"
      aria-label={`The letters ${[...code].join(" ")}`}
    >
      {code}
    </div>
  );
}

const MAX_SECONDS = 90;

/** How long ago something happened, as the beginning of a sentence: to the second while that matters. */
export function Since({ seconds }: { seconds: number }) {
  if (seconds >= 5 && seconds < MAX_SECONDS) return <span>{`${seconds} seconds ago`}</span>;
  const words = ageInWords(seconds) ?? "more than a week ago";
  return <span>{words.charAt(0).toUpperCase() + words.slice(1)}</span>;
}
