import { isUnavailable } from "@/lib/db/errors";

/** Does it again as long as the database is too busy: of many at once, the last may wait too long for a connection. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
}
