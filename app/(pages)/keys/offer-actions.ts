"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { ApiError } from "@/lib/errors";
import { findKey } from "@/lib/keys/find";
import { acceptOffer } from "@/lib/keys/offers/accept";
import { declineKey, offerAllKeys, offerKey, withdrawOffer } from "@/lib/keys/offers/offer";
import { actor, type Outcome, outcome } from "../outcome";
import { read } from "../read";
import { readId, readIds, readUsername } from "./read";

/** Offers a key to a user, who becomes its creator by accepting. */
export async function offer(keyId: string, username: string): Promise<Outcome<string>> {
  return outcome(async () => {
    const caller = await actor();
    const { user } = await offerKey(caller, await findKey(caller, readId(keyId)), readUsername(username));
    refresh();
    return user;
  }, "username");
}

/** Offers all keys of the signed-in user. */
export async function offerAll(username: string): Promise<Outcome<{ user: string; keys: number }>> {
  return outcome(async () => {
    const done = await offerAllKeys(await actor(), readUsername(username));
    refresh();
    return done;
  }, "username");
}

/** Takes an offer back. */
export async function withdraw(keyId: string): Promise<Outcome<boolean>> {
  return outcome(async () => {
    const caller = await actor();
    const done = await withdrawOffer(caller, await findKey(caller, readId(keyId)));
    refresh();
    return done;
  });
}

/**
 * Accepts or declines these keys, one after another. Returns how many, and why one was refused, if any: the others are
 * decided regardless.
 */
export async function decideOffers(
  keyIds: string[],
  accepts: boolean,
): Promise<Outcome<{ done: number; refused?: string }>> {
  return outcome(async () => {
    const caller = await actor();
    const isAccepting = read(z.boolean(), accepts);
    let done = 0;
    let refused: string | undefined;
    for (const id of readIds(keyIds))
      try {
        await (isAccepting ? acceptOffer(caller, id) : declineKey(caller, id));
        done++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused = error.message;
      }
    refresh();
    return { done, refused };
  });
}
