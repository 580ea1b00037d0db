import { ApiError } from "@/lib/platform/errors";

export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "ok",
    (error) => {
      if (error instanceof ApiError) return error.code;
      throw error;
    },
  );
