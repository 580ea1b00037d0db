import { Refused } from "./ask-server";

/** How long to wait, in seconds, before the next try. */
const WAITS = [1, 3, 9, 27];

/** Does the work, again where the line or the service failed for a moment; `onPause` is told when that begins and ends. Throws what the last try threw, or the signal's reason. */
export async function withPatience<T>(work: () => Promise<T>, signal: AbortSignal, onPause: (isPaused: boolean) => void): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Refused) || !isPassing(error)) throw error;
      onPause(true);
      await pause(Math.max(wait, error.retryAfter), signal);
      onPause(false);
    }
  }
  return work();
}

/** What may well work a little later: no answer, too many at once, another writer at the same moment, the database away. */
function isPassing({ status, code }: Refused): boolean {
  return status === 0 || status === 408 || status === 429 || (status === 409 && code !== "name_taken") || (status >= 500 && status !== 507);
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
