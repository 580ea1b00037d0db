import { ApiError } from "@/lib/errors";

/** Unknown, removed, of another host, with a wrong signature or a copied one: a stranger learns no more. */
export const passkeyRefused = () =>
  new ApiError(401, "passkey_refused", "This passkey wasn't accepted. It may have been removed from the account.");
export const passkeyExpired = () =>
  new ApiError(401, "passkey_expired", "The request for your passkey has expired. Try again.");
export const passkeyKnown = () => new ApiError(409, "passkey_known", "This passkey has already been added.");
export const passkeyNotFound = () =>
  new ApiError(404, "passkey_not_found", "There is no such passkey. It may have been removed already.");
