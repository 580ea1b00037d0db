import { ApiError } from "@/lib/platform/errors";

/** The result of `work`; null if the link cannot be used. */
export async function unlessBad<T>(work: Promise<T>): Promise<T | null> {
  return work.catch((error) => {
    if (error instanceof ApiError && error.code === "bad_link") return null;
    throw error;
  });
}
