"use client";

import { useEffect, useRef, useState } from "react";
import { whyFailed } from "@/components/why-failed";
import type { ActionFailure, Outcome } from "../outcome";

/**
 * Asks an action at this interval while the page is visible, and passes on what it answers. Stops when the action is
 * refused, and returns why; `resume` goes on. Null seconds: not at all. Goes on when the service cannot be reached.
 */
export function usePolling<T>(
  seconds: number | null,
  action: () => Promise<Outcome<T>>,
  onAnswer: (answer: T) => void,
) {
  const [refused, setRefused] = useState<ActionFailure | null>(null);
  const [lost, setLost] = useState("");
  const current = useRef({ action, onAnswer });
  current.current = { action, onAnswer };

  useEffect(() => {
    if (seconds === null || refused) return;
    let isOver = false;
    let isAsking = false;
    const ask = async () => {
      if (document.visibilityState !== "visible" || isAsking) return;
      isAsking = true;
      const answer = await current.current.action().catch(whyFailed);
      isAsking = false;
      if (isOver) return;
      setLost(typeof answer === "string" ? answer : "");
      if (typeof answer === "string") return;
      if ("error" in answer) setRefused(answer);
      else current.current.onAnswer(answer.ok);
    };
    void ask();
    const timer = setInterval(ask, seconds * 1_000);
    document.addEventListener("visibilitychange", ask);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [seconds, refused]);

  return { refused, error: lost || (refused?.error ?? ""), resume: () => setRefused(null) };
}
