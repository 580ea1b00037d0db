import type { Access } from "@/lib/platform/access";
import { ApiError } from "@/lib/platform/errors";

/** Missing or wrong tokens. Existing clients recognise a bad token by the word "Invalid" (contract, section 1). */
export const missingToken = () =>
  new ApiError(
    401,
    "missing_token",
    "A token is required: send it as the parameter auth, or as Authorization: Bearer.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
export const invalidToken = () =>
  new ApiError(401, "invalid_token", "Invalid token.", { headers: { "WWW-Authenticate": "Bearer" } });
/** `field`: the form field for the password. */
export const wrongPassword = (sentence = "The username or the password is wrong.", field?: string) =>
  new ApiError(401, "wrong_password", sentence, { field });

/** The sentence of a page whose user was signed out meanwhile. */
export const SIGNED_OUT = "You're signed out. Sign in and try again.";
export const signedOut = (sentence = SIGNED_OUT) => new ApiError(401, "signed_out", sentence);

export const accountDisabled = () => new ApiError(403, "account_disabled", "This account is disabled.");
/** `needed`: the access that the request needs. */
export const tokenAccess = (granted: Access, needed: Access) =>
  new ApiError(
    403,
    "token_access",
    `This token has the access "${granted}". This request needs a token with the access "${needed}".`,
  );
/** `approved`: the audiences that it may name. */
export const audienceNotApproved = (approved: readonly string[]) =>
  new ApiError(
    403,
    "audience_not_approved",
    `This token makes validators for ${approved.map((one) => `"${one}"`).join(" and ") || "no server"} only. ` +
      "For another server, link again with audience= on /link/code or /oauth/device: the user then approves it.",
  );
export const userNotFound = () => new ApiError(404, "user_not_found", "There is no user with this name.");
export const hashingBusy = () =>
  new ApiError(429, "hashing_busy", "Too many people are signing in right now. Try again in a few seconds.", {
    headers: {
      "Retry-After": "5",
    },
  });

/** Unknown, removed, of another host, with a wrong signature or a copied one: a stranger learns no more. */
export const passkeyRefused = () =>
  new ApiError(401, "passkey_refused", "This passkey wasn't accepted. Use another one, or sign in another way.");
export const passkeyUnknown = () =>
  new ApiError(401, "passkey_unknown", "This passkey isn't known here. It may have been removed from the account.");
export const passkeyUnfit = () =>
  new ApiError(
    401,
    "passkey_unfit",
    "What your device or password manager created is no passkey that can be used here: it must check your finger, " +
      "face or PIN. Use another one.",
  );
export const passkeyExpired = () =>
  new ApiError(401, "passkey_expired", "The request for your passkey has expired. Try again.");
export const passkeyRegistered = () => new ApiError(409, "passkey_known", "This passkey has already been added.");
export const passkeyNotFound = () =>
  new ApiError(404, "passkey_not_found", "There is no such passkey. It may have been removed already.");

export const identityTaken = () =>
  new ApiError(409, "identity_taken", "That account is already connected to another user.");

/** An administrator cannot lock themselves out in passing. */
export const ownAccount = (action: "user.disable" | "user.enable" | "user.delete") =>
  new ApiError(409, "own_account", OWN_ACCOUNT[action]);

const NOT_YOURS = "your own account here. Another administrator can, or the admin command.";
const OWN_ACCOUNT = {
  "user.disable": `You can't disable ${NOT_YOURS}`,
  "user.enable": `You can't enable ${NOT_YOURS}`,
  "user.delete": "This is your own account. Delete it under Account.",
};
