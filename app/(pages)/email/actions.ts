"use server";

import { z } from "zod";
import { currentUser } from "@/lib/accounts/session/current-user";
import { findAddressToVerify, verifyAddress } from "@/lib/accounts/ways-in/mail/addresses";
import { action } from "../action";
import { unlessBad } from "../visitor";

/** An address, and the account that it is for. */
export interface ShownAddress {
  username: string;
  address: string;
  /** The visitor is signed in to that account. */
  isYours: boolean;
}

/** What the link verifies; null if it cannot be used. Changes nothing. */
export const previewAddress = action({
  who: "anyone",
  input: z.string(),
  run: async (secret, _nobody, { network }): Promise<ShownAddress | null> => {
    const email = await unlessBad(findAddressToVerify(secret, { network }));
    if (!email) return null;
    const { userId, username, address } = email;
    return { username, address, isYours: (await currentUser())?.id === userId };
  },
});

/** Takes the address into use. Null if the link cannot be used. */
export const verifyShownAddress = action({
  input: z.string(),
  run: (secret, { id }, { network }) => unlessBad(verifyAddress(id, secret, { network }).then(() => true as const)),
});
