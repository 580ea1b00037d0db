"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { findKey } from "@/lib/keys/access";
import {
  acceptOffer,
  declineKey,
  OFFERS_SHOWN,
  type Offer,
  offerAllKeys,
  offerKey,
  withdrawOffer,
} from "@/lib/keys/offers";
import { ApiError } from "@/lib/platform/errors";
import { actor, type Outcome, outcome, provenActor } from "../outcome";
import { read } from "../read";
import { readId, readUsername } from "./read";

/** Offers a key to a user, who becomes its creator by accepting. */
export async function offer(keyId: string, username: string): Promise<Outcome<string>> {
  return outcome(async () => {
    const caller = await provenActor();
    const { user } = await offerKey(caller, await findKey(caller, readId(keyId)), readUsername(username));
    refresh();
    return user;
  }, "username");
}

/** Offers all keys of the signed-in user, if they are as many as the page has `shown`. */
export async function offerAll(username: string, shown: number): Promise<Outcome<{ user: string; keys: number }>> {
  return outcome(async () => {
    const caller = await provenActor();
    const done = await offerAllKeys(caller, readUsername(username), read(z.number(), shown));
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

/** An offer as the page showed it. */
export type ShownOffer = Pick<Offer, "id" | "at" | "changedAt">;

const shownOffers = z.array(z.object({ id: z.string(), at: z.date(), changedAt: z.date() })).max(OFFERS_SHOWN);

/**
 * Accepts or declines these offers, one after another. Returns how many, and why one was refused, if any: all others
 * are decided regardless.
 */
export async function decideOffers(
  offers: ShownOffer[],
  accepts: boolean,
): Promise<Outcome<{ done: number; refused?: string }>> {
  return outcome(async () => {
    const caller = await actor();
    const isAccepting = read(z.boolean(), accepts);
    let done = 0;
    let refused: string | undefined;
    for (const { id, ...shown } of read(shownOffers, offers))
      try {
        await (isAccepting ? acceptOffer(caller, readId(id), shown) : declineKey(caller, readId(id)));
        done++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused = error.message;
      }
    refresh();
    return { done, refused };
  });
}
