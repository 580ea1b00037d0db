import { ApiError } from "@/lib/errors";

/** The sentence of a page whose user was signed out meanwhile. */
export const SIGNED_OUT = "You're signed out. Sign in and try again.";

export const signedOut = (sentence = SIGNED_OUT) => new ApiError(401, "signed_out", sentence);
