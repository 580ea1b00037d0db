import { ApiError } from "@/lib/errors";

/** What `work` answers, or null where a limit refuses it (429). Any other failure is thrown: it would look like an attack that failed. */
export function unlessLimited<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiError && error.status === 429) return null;
    throw error;
  });
}
