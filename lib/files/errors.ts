import { ApiError } from "@/lib/errors";

export const invalidDocument = (sentence: string) => new ApiError(400, "invalid_document", sentence);
export const filesLimit = (sentence: string) => new ApiError(403, "files_limit", sentence);
export const noFiles = () => new ApiError(404, "no_files", "No files have been stored yet.");
export const draftLost = () => new ApiError(409, "draft_lost", "This took too long without any progress and was given up. Nothing was changed; try again.");
export const changedMeanwhile = () => new ApiError(409, "changed_meanwhile", "The files were changed at the same time. Nothing was changed here; try again.");
export const entryNotFound = () => new ApiError(404, "entry_not_found", "There is no such file or folder any more.");
export const notAFolder = () => new ApiError(400, "not_a_folder", "This is a file, not a folder.");
export const rootFolder = (sentence: string) => new ApiError(400, "root_folder", sentence);
export const nameTaken = (name: string) => new ApiError(409, "name_taken", `There is already something with the name ${name} here.`);
export const intoItself = () => new ApiError(400, "into_itself", "A folder cannot be moved into itself or into a folder within it.");
export const tooManyEntries = (most: number) =>
  new ApiError(400, "too_many_entries", `At most ${most.toLocaleString("en")} files and folders can be chosen at once. Nothing was changed; choose fewer.`);
