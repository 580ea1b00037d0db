import { useRef, useState } from "react";
import type { Failure, Outcome } from "./outcome";
import { UNREACHABLE } from "./unreachable";

/**
 * Runs actions one at a time: what is asked for while one is under way is not sent. `run` answers what the action did, or null
 * where it was refused or failed. `errorAt` then says why at the field that it speaks of, `error` where that is none.
 */
export function useAction() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [done, setDone] = useState("");
  const running = useRef(false);

  async function run<T>(action: () => Promise<Outcome<T>>): Promise<{ ok: T } | null> {
    if (running.current) return null;
    running.current = true;
    setBusy(true);
    setFailure(null);
    setDone("");
    const answer = await action().catch((): Failure => ({ error: UNREACHABLE }));
    running.current = false;
    setBusy(false);
    // Asked this way round because an `ok` that is undefined does not survive the way here.
    if (!("error" in answer)) return answer;
    setFailure(answer);
    return null;
  }

  const errorAt = (field: string) => (failure?.field === field ? failure.error : undefined);
  const error = failure && failure.field === undefined ? failure.error : "";
  const setError = (sentence: string) => setFailure({ error: sentence });
  return { run, busy, failure, error, errorAt, setError, done, setDone };
}
