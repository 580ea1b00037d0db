import { ApiError } from "@/lib/platform/errors";

export const creatorAccess = () =>
  new ApiError(400, "creator_access", "A key's creator always holds it. Delete the key instead.");
export const keyMismatch = () => new ApiError(400, "key_mismatch", "The parameter key must be the id in the path.");
export const notCreator = (sentence = "Only the key's creator can do this.") =>
  new ApiError(403, "not_creator", sentence);
export const keyLimit = (sentence: string) => new ApiError(403, "key_limit", sentence);
export const holderLimit = (sentence: string) => new ApiError(403, "holder_limit", sentence);
export const keyNotFound = () => new ApiError(404, "key_not_found", "There is no key with this id.");
