import { ApiError } from "@/lib/errors";

export const DAY_MS = 24 * 60 * 60_000;

/** The secret of a one-time link. */
export const secretOf = (link: string): string => new URL(link).hash.slice(1);

/** "ok", or the code of the refusal. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );
