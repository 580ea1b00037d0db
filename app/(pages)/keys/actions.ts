"use server";

import { z } from "zod";
import type { SignedIn } from "@/lib/accounts/session/current-user";
import { findKey } from "@/lib/keys/access";
import { blockGiver, unblockGiver } from "@/lib/keys/block";
import { claimLinkOptions, createClaimLinks, shownLinks } from "@/lib/keys/claims/create";
import { endClaimLinks } from "@/lib/keys/claims/end";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { addHolderToMany, changeHolders, readNames, revokeHolderOfMany } from "@/lib/keys/many";
import { markNewsSeen } from "@/lib/keys/news";
import { acceptOffer, declineKey, OFFERS_A_PAGE, offerKey, withdrawOffer } from "@/lib/keys/offers";
import { leaveKeys, revokeHolder } from "@/lib/keys/revoke";
import { changeable, newKey, type PlainField, plainFieldNames, plainFields } from "@/lib/keys/schema";
import { until } from "@/lib/keys/until";
import { updateKey } from "@/lib/keys/update";
import { ApiError } from "@/lib/platform/errors";
import { namedRequest, once } from "@/lib/platform/requests/results";
import { existingName, id, ids, keyAndUser, LARGE, newHolder, optionalNumber } from "../_keys/input";
import { action, type NeededProof } from "../action";

/** Spaces around what is no secret are typing slips. */
const typed = (field: PlainField) => z.string().trim().pipe(changeable[field]);
const fields = Object.fromEntries(plainFieldNames.map((field) => [field, typed(field)]));
const entered = z.object(fields as Record<PlainField, ReturnType<typeof typed>>).partial();

/** Creates a key for the signed-in user, and returns its id. */
export const create = action({
  input: newKey.extend({ ...entered.shape, price: typed("price") }),
  about: (field) => `The ${field === "data" ? "secret" : field}`,
  once: "create",
  storesResult: true,
  maxBytes: LARGE,
  run: async (fields, caller) => (await once(caller, () => createKey(caller, fields))).result.id,
});

/** Changes the fields that the input has: none if one of them is refused. Returns all as they are stored. */
export const saveSettings = action({
  input: entered.extend({ keyId: id }),
  about: (field) => `The new ${field}`,
  refreshes: true,
  run: async ({ keyId, ...fields }, caller) => {
    const row = await findKey(caller, keyId);
    const next = { ...row, ...fields };
    for (const field of plainFieldNames)
      if (next[field] !== row[field]) await updateKey(caller, row, { field, value: next[field] });
    return plainFields(next);
  },
});

/** Adds a holder to a key, or changes when an access ends. */
export const add = action({
  input: newHolder,
  about: (field) => `The ${field}`,
  proof: "elsewhere",
  field: "username",
  once: "add",
  refreshes: true,
  run: async ({ keyId, ...holder }, caller) => addHolder(caller, await findKey(caller, keyId), holder),
});

/** What revoking from this user asks for: of oneself, it is leaving. */
const ifOneself =
  (proof: NeededProof) =>
  ({ username }: { username: string }, caller: SignedIn): NeededProof =>
    username.toLowerCase() === caller.username.toLowerCase() ? proof : "none";

/** Revokes a key from a user. */
export const revoke = action({
  input: keyAndUser,
  proof: ifOneself("elsewhere"),
  refreshes: true,
  run: async ({ keyId, username }, caller) => revokeHolder(caller, await findKey(caller, keyId), username),
});

/** Adds a holder to several keys, and returns what became of each. */
export const addToKeys = action({
  input: z.object({ keyIds: ids, username: existingName }),
  proof: "recent",
  field: "username",
  refreshes: true,
  run: ({ keyIds, username }, caller) => addHolderToMany(caller, keyIds, username),
});

/** Revokes several keys from a user, and returns what became of each. */
export const revokeFromKeys = action({
  input: z.object({ keyIds: ids, username: existingName }),
  proof: ifOneself("recent"),
  field: "username",
  refreshes: true,
  run: ({ keyIds, username }, caller) => revokeHolderOfMany(caller, keyIds, username),
});

/** Leaves keys of others, and returns how many. */
export const leave = action({
  input: ids,
  proof: (keyIds) => (keyIds.length > 1 ? "recent" : "elsewhere"),
  refreshes: true,
  run: (keyIds, caller) => leaveKeys(caller, keyIds),
});

/** Blocks a giver of keys. With `andLeave`, also leaves all keys of this giver, and returns how many. */
export const block = action({
  input: z.object({ username: existingName, andLeave: z.boolean() }),
  proof: ({ andLeave }) => (andLeave ? "recent" : "none"),
  refreshes: true,
  run: async ({ username, andLeave }, caller) => (await blockGiver(caller, username, { andLeave })).left,
});

/** Unblocks a giver of keys. */
export const unblock = action({
  input: existingName,
  refreshes: true,
  run: (giver, caller) => unblockGiver(caller, giver),
});

/** Deletes a key for all its holders. */
export const remove = action({
  input: id,
  proof: "elsewhere",
  once: "remove",
  run: async (keyId, caller) => deleteKey(caller, await findKey(caller, keyId)),
});

/** Creates claim links. */
export const createLinks = action({
  input: claimLinkOptions.extend({ keyId: id }),
  about: () => "This field",
  proof: "recent",
  once: "createLinks",
  storesResult: true,
  refreshes: true,
  run: async ({ keyId, ...options }, caller, { origin }) => {
    const row = await findKey(caller, keyId);
    const note = options.note.trim();
    return shownLinks(await createClaimLinks(caller, row, { ...options, note, origin }), note);
  },
});

/** Ends the links of a batch, or the one with this number, and returns how many could be used until now. */
export const endLinks = action({
  input: z.object({ keyId: id, batchId: id, number: optionalNumber }),
  about: () => "This",
  refreshes: true,
  run: async ({ keyId, ...links }, caller) => endClaimLinks(caller, await findKey(caller, keyId), links),
});

/** Adds many users to a key, or revokes it from them, and returns what became of each. */
export const changeMany = action({
  input: z.object({ keyId: id, change: z.enum(["add", "revoke"]), end: until.optional(), names: z.string() }),
  about: (field) => `The ${field}`,
  proof: "elsewhere",
  field: "names",
  refreshes: true,
  maxBytes: LARGE,
  run: ({ keyId, change, end, ...list }, caller) => {
    const names = readNames(list.names);
    return changeHolders(caller, keyId, change === "add" ? { names, adds: true, end } : { names, adds: false });
  },
});

/** The signed-in user has seen the news until this time. */
export const hideNews = action({
  input: z.date(),
  refreshes: true,
  run: (at, caller) => markNewsSeen(caller, at),
});

/** Offers a key to a user, who becomes its creator by accepting. */
export const offer = action({
  input: keyAndUser,
  proof: "recent",
  field: "username",
  once: "offer",
  refreshes: true,
  run: async ({ keyId, username }, caller) => offerKey(caller, await findKey(caller, keyId), username),
});

/** Withdraws an offer. */
export const withdraw = action({
  input: id,
  refreshes: true,
  run: async (keyId, caller) => withdrawOffer(caller, await findKey(caller, keyId)),
});

/** As the page displays them. */
const displayedOffers = z.array(z.object({ id, at: z.date(), changedAt: z.date() })).max(OFFERS_A_PAGE);

/**
 * Accepts or declines these offers, one after another, each as a request of its own. Returns how many, and why one was
 * refused, if any: all others are decided regardless.
 */
export const decideOffers = action({
  input: z.object({ offers: displayedOffers, accepts: z.boolean(), press: id }),
  refreshes: true,
  run: async ({ offers, accepts, press }, user) => {
    let done = 0;
    let refused: string | undefined;
    for (const { id, ...displayed } of offers)
      try {
        const what = `${accepts ? "accept" : "decline"} ${id}`;
        const request = { ...namedRequest(`${what} ${press}`, [what, displayed]), isOfPage: true };
        const caller = { ...user, request };
        await once(caller, () => (accepts ? acceptOffer(caller, id, displayed) : declineKey(caller, id)));
        done++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused = error.message;
      }
    return { done, refused };
  },
});
