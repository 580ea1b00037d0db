import { ApiError } from "@/lib/platform/errors";

/**
 * Why somebody cannot decide: one sentence for everything that others did with the code, so that nobody learns which.
 */
export const unusable = (sentence = "This code can't be used any more. Ask the program for a new one.") =>
  new ApiError(409, "code_unusable", sentence);

const NOT_FOUND = "This code can't be used. Compare each letter with what the program shows, or ask it for a new code.";
export const codeNotFound = (sentence = NOT_FOUND) => new ApiError(404, "code_not_found", sentence);

export const tooWide = () =>
  new ApiError(
    400,
    "access_too_wide",
    "The program asked for less access than that. Choose what it asked for, or less.",
  );
