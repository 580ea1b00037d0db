import { ApiError } from "@/lib/errors";

export const invalidDocument = (sentence: string) => new ApiError(400, "invalid_document", sentence);
export const filesLimit = (sentence: string) => new ApiError(403, "files_limit", sentence);
export const noFiles = () => new ApiError(404, "no_files", "No files have been stored yet.");
export const draftLost = () => new ApiError(409, "draft_lost", "This took too long without any progress and was given up. Nothing was changed; try again.");
