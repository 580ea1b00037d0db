"use client";

import { useEffect, useState } from "react";
import styles from "./audit.module.css";

const EVERY_MS = 5_000;
const MAX = 100;

interface NewEventsProps {
  /** The filter as a query. */
  query: string;
  /** The id of the newest event on the page. */
  after: number;
}

/**
 * Says how many events are new, and leads to them: a list that moved by itself could not be read. It asks every five
 * seconds while the page is visible, until the last proof is ten minutes old.
 */
export function NewEvents({ query, after }: NewEventsProps) {
  const [count, setCount] = useState(0);
  const [trouble, setTrouble] = useState<"lost" | "over" | null>(null);

  useEffect(() => {
    const stopped = new AbortController();
    const check = async () => {
      if (document.visibilityState !== "visible") return;
      try {
        const parameters = new URLSearchParams(query);
        parameters.set("after", String(after));
        const response = await fetch(`/admin/audit/newer?${parameters}`, { cache: "no-store", signal: stopped.signal });
        if ([401, 403, 404].includes(response.status)) {
          setTrouble("over");
          stopped.abort();
          clearInterval(timer);
        } else if (response.ok) {
          setCount((await response.json()).count);
          setTrouble(null);
        } else setTrouble("lost");
      } catch {
        if (!stopped.signal.aborted) setTrouble("lost");
      }
    };
    const timer = setInterval(check, EVERY_MS);
    document.addEventListener("visibilitychange", check);
    return () => {
      stopped.abort();
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [query, after]);

  return (
    <div role="status" className={styles.live}>
      {trouble === "over" && (
        <a href={`/admin/audit?${query}`}>New events no longer appear. Reload the page and confirm it's you.</a>
      )}
      {trouble === "lost" && (
        <span>The service can't be reached right now. New events will appear when it's back.</span>
      )}
      {trouble === null && count > 0 && (
        <a href={`/admin/audit?${query}`}>
          {`${count >= MAX ? `${MAX} or more` : count} new ${count === 1 ? "event" : "events"}`}
        </a>
      )}
    </div>
  );
}
