import { ApiError, bodyTooLarge } from "@/lib/errors";
import type { EntrySummary } from "./entry-summary";
import { PART_BYTES } from "./part-bytes";

export const invalidDocument = (sentence: string) => new ApiError(400, "invalid_document", sentence);
export const filesLimit = (sentence: string) => new ApiError(403, "files_limit", sentence);
/** `rest`: the unit of the limit, and why it is exceeded. */
export const overQuota = (most: number, rest: string) =>
  filesLimit(`There is room for ${most.toLocaleString("en")} ${rest}. Nothing was changed.`);
export const draftLost = () =>
  new ApiError(
    409,
    "draft_lost",
    "This took too long without any progress and was cancelled. Nothing was changed; try again.",
  );
export const changedMeanwhile = () =>
  new ApiError(
    409,
    "changed_meanwhile",
    "Your files were being changed elsewhere at the same time. Nothing was changed here; try again.",
  );
export const entryNotFound = () => new ApiError(404, "entry_not_found", "This file or folder no longer exists.");
export const gone = () => new ApiError(410, "gone", "The deleted items are no longer kept, so they can't be restored.");
export const notAFolder = () => new ApiError(400, "not_a_folder", "This is a file, not a folder.");
export const rootFolder = (sentence: string) => new ApiError(400, "root_folder", sentence);
/** The `details` of `name_taken`: what has the name, unless the same change has just given it. */
export interface NameTaken {
  name: string;
  existing?: EntrySummary;
}
/** `place`: what people call the folder. `others`: how many names are taken beside this one. */
export const nameTaken = (place: string, { name, existing }: NameTaken, others = 0) => {
  const too = others === 0 ? "" : ` ${others} more ${others === 1 ? "name is" : "names are"} taken too.`;
  const sentence = `There is already something named ${name} in ${place}.${too}`;
  return new ApiError(409, "name_taken", sentence, {}, undefined, { name, existing } satisfies NameTaken);
};
export const intoItself = () =>
  new ApiError(400, "into_itself", "A folder cannot be moved into itself or into a folder within it.");
const tooMany = (sentence: string) => new ApiError(400, "too_many_entries", sentence);
export const tooManyEntries = (most: number) =>
  tooMany(
    `At most ${most.toLocaleString("en")} files and folders can be selected at once. ` +
      "Nothing was changed; select fewer.",
  );
export const tooManyToZip = (most: number) =>
  tooMany(
    `At most ${most.toLocaleString("en")} files and folders can be downloaded as one archive. ` +
      "Select fewer, or use Export.",
  );
export const partTooLarge = () => bodyTooLarge(`A part of an upload can have at most ${PART_BYTES} bytes.`);
