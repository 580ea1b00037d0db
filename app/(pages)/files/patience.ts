import { RefusedByServer } from "./ask-server";

/** Seconds to wait before each retry. */
const WAITS = [1, 3, 9, 27];

/**
 * Runs the work, with retries if the connection or the service failed temporarily; `onPause` is called when a pause
 * begins and ends. Throws the last error, or the signal's reason.
 */
export async function withPatience<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onPause: (isPaused: boolean) => void,
): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedByServer) || !isPassing(error)) throw error;
      onPause(true);
      await pause(Math.max(wait, error.retryAfter), signal);
      onPause(false);
    }
  }
  return work();
}

/** Temporary errors: no response, too many requests, a concurrent writer, the database unavailable. */
export function isPassing({ status, code }: RefusedByServer): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status === 409 && code !== "name_taken") ||
    (status >= 500 && status !== 507)
  );
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
