"use server";

import { z } from "zod";
import { currentUser } from "@/lib/accounts/session/current-user";
import { acceptClaim, findClaim } from "@/lib/keys/claims/accept";
import { action } from "../action";
import { unlessBad } from "../visitor";

/** What the link gives; null if it cannot be used. Changes nothing. */
export const previewClaim = action({
  who: "anyone",
  input: z.string(),
  run: async (secret, _nobody, { network }) => unlessBad(findClaim(await currentUser(), secret, { network })),
});

/** Gives the signed-in user the key; null if the link cannot be used. */
export const claimKey = action({
  input: z.string(),
  run: (secret, user, { network }) => unlessBad(acceptClaim(user, secret, network)),
});
