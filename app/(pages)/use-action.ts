import { useRef, useState } from "react";
import type { Outcome } from "./outcome";
import { UNREACHABLE } from "./unreachable";

/**
 * Runs actions one at a time: what is asked for while one is under way is not sent. `run` answers what the action did, or null
 * where it was refused or failed; `error` then says why.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState("");
  const [done, setDone] = useState("");
  const running = useRef(false);

  async function run<T>(action: () => Promise<Outcome<T>>): Promise<{ ok: T } | null> {
    if (running.current) return null;
    running.current = true;
    setBusy(true);
    setError("");
    setDone("");
    const answer = await action().catch(() => ({ error: UNREACHABLE }));
    running.current = false;
    setBusy(false);
    // Asked this way round because an `ok` that is undefined does not survive the way here.
    if (!("error" in answer)) return answer;
    setError(answer.error);
    return null;
  }

  return { run, busy, error, setError, done, setDone };
}
