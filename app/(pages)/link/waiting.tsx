"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { ageInWords } from "@/components/time";
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

const PAUSE_MS = 1_000;

/** Refreshes the page as soon as its request is no longer at this `version`, while it is visible. */
export function FollowRequest({ ticket, version }: { ticket: string; version: string }) {
  const router = useRouter();

  useEffect(() => {
    let client = new AbortController();
    const follow = async ({ signal }: AbortController) => {
      while (!signal.aborted) {
        const state = await readChanges(ticket, version, signal);
        if (signal.aborted || state === "unknown") return;
        if (state === "changed") return router.refresh();
        // The service may be full or about to stop.
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    };
    // A hidden page gives its connection back: a browser has six for all pages of a site.
    const begin = () => {
      client.abort();
      client = new AbortController();
      if (document.visibilityState === "visible") void follow(client);
    };
    begin();
    document.addEventListener("visibilitychange", begin);
    return () => {
      client.abort();
      document.removeEventListener("visibilitychange", begin);
    };
  }, [router, ticket, version]);

  return null;
}

/** Waits for the service, up to 25 seconds. Resolves with "" if nothing changed, or the service cannot say. */
function readChanges(ticket: string, version: string, signal: AbortSignal): Promise<string> {
  const address = `/link-changes?${new URLSearchParams({ version })}`;
  return fetch(address, { cache: "no-store", headers: { "Link-Ticket": ticket }, signal })
    .then((response) => (response.ok ? response.text() : ""))
    .then(
      (text) => text.trim(),
      () => "",
    );
}
