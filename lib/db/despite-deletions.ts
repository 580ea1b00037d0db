import { isMissingReference } from "./errors";

const MOST_ATTEMPTS = 10;

/** Repeats work that met a row, such as a user's, that was deleted meanwhile: the work no longer finds it then. */
export async function despiteDeletions<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !isMissingReference(error)) throw error;
    }
  }
}
