import { ApiError } from "@/lib/errors";

/**
 * Returns the result of `work`, or null if a limit refuses it (429). Throws any other failure: it would look like a
 * failed attack.
 */
export function unlessLimited<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiError && error.status === 429) return null;
    throw error;
  });
}
