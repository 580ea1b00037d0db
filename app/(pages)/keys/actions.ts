"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { requireRecentProof } from "@/lib/accounts/confirm";
import { findKey } from "@/lib/keys/access";
import { blockGiver, unblockGiver } from "@/lib/keys/block";
import { claimLinkOptions, createClaimLinks, type ShownLinks, shownLinks } from "@/lib/keys/claims/create";
import { endClaimLinks } from "@/lib/keys/claims/list";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import {
  type Added,
  addHolder,
  addHolderToMany,
  changeHolders,
  type ManyResult,
  type NameResult,
  readNames,
  revokeHolderOfMany,
} from "@/lib/keys/grant";
import { acceptOffer, declineKey, offerAllKeys, offerKey, withdrawOffer } from "@/lib/keys/offers";
import { leaveKeys, revokeHolder } from "@/lib/keys/revoke";
import { type NewKey, newKey, type PlainFields, plainFieldNames, plainFields } from "@/lib/keys/schema";
import { readChange, updateKey } from "@/lib/keys/update";
import { markNewsSeen, revealData } from "@/lib/keys/view";
import { ApiError } from "@/lib/platform/errors";
import { once } from "@/lib/platform/requests/results";
import {
  actor,
  actorHere,
  inRequest,
  type Outcome,
  outcome,
  pageOrigin,
  provenActor,
  requireProofIfElsewhere,
} from "../outcome";
import { read } from "../read";
import type { HolderChange } from "./holders";
import {
  type DisplayedOffer,
  type NewHolder,
  readEnd,
  readFields,
  readHolder,
  readId,
  readIds,
  readNumber,
  readOffers,
  readUsername,
} from "./read";

/** Creates a key for the signed-in user, and returns its id. */
export async function create(input: NewKey, request: string): Promise<Outcome<string>> {
  return outcome(async () => {
    const user = await actor();
    const fields = readFields(newKey, withoutSlips(input), { the: "The" });
    const caller = inRequest(user, request, ["create", fields]);
    return (await once(caller, () => createKey(caller, fields))).result.id;
  });
}

/** The secret of a key that the signed-in user holds. */
export async function reveal(keyId: string): Promise<Outcome<string>> {
  return outcome(async () => revealData(await actorHere(), readId(keyId)));
}

/** Replaces a key's data. */
export async function replaceData(keyId: string, data: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const caller = await actorHere();
    const row = await findKey(caller, readId(keyId));
    await updateKey(caller, row, readChange({ id: row.id, key: "data", data: read(z.string(), data) }));
    refresh();
  }, "data");
}

/** Changes the fields that the input has: none if one of them is refused. Returns all as they are stored. */
export async function saveSettings(keyId: string, input: Partial<PlainFields>): Promise<Outcome<PlainFields>> {
  return outcome(async () => {
    const caller = await actor();
    const row = await findKey(caller, readId(keyId));
    const next = { ...row, ...readFields(settings, withoutSlips(input), { the: "The new" }) };
    for (const field of plainFieldNames)
      if (next[field] !== row[field]) await updateKey(caller, row, { field, value: next[field] });
    refresh();
    return plainFields(next);
  });
}

/** Adds a holder to a key, or changes when an access ends. */
export async function add(keyId: string, holder: NewHolder, request: string): Promise<Outcome<Added>> {
  return outcome(async () => {
    const user = await actorHere();
    const [id, added] = [readId(keyId), readHolder(holder)];
    const caller = inRequest(user, request, ["add", id, added]);
    const { result } = await once(caller, async () => addHolder(caller, await findKey(caller, id), added));
    refresh();
    return result;
  }, "username");
}

/** The caller who revokes keys from a user: of oneself that is leaving them, which asks for a proof. */
async function revoker(username: string, requireProof: typeof requireProofIfElsewhere): ReturnType<typeof actor> {
  const caller = await actor();
  if (username.toLowerCase() === caller.username.toLowerCase()) await requireProof(caller);
  return caller;
}

/** Revokes a key from a user. */
export async function revoke(keyId: string, username: string): Promise<Outcome<{ user: string; revoked: boolean }>> {
  return outcome(async () => {
    const name = readUsername(username);
    const caller = await revoker(name, requireProofIfElsewhere);
    const result = await revokeHolder(caller, await findKey(caller, readId(keyId)), name);
    refresh();
    return result;
  });
}

/** Adds a holder to several keys, and returns what became of each. */
export async function addToKeys(keyIds: string[], username: string): Promise<Outcome<ManyResult>> {
  return outcome(async () => {
    const result = await addHolderToMany(await provenActor(), readIds(keyIds), readUsername(username));
    refresh();
    return result;
  }, "username");
}

/** Revokes several keys from a user, and returns what became of each. */
export async function revokeFromKeys(keyIds: string[], username: string): Promise<Outcome<ManyResult>> {
  return outcome(async () => {
    const name = readUsername(username);
    const result = await revokeHolderOfMany(await revoker(name, requireRecentProof), readIds(keyIds), name);
    refresh();
    return result;
  }, "username");
}

/** Leaves keys of others, and returns how many. */
export async function leave(keyIds: string[]): Promise<Outcome<number>> {
  return outcome(async () => {
    const ids = readIds(keyIds);
    const left = await leaveKeys(await (ids.length > 1 ? provenActor : actorHere)(), ids);
    refresh();
    return left;
  });
}

/** Blocks a giver of keys. With `andLeave`, also leaves all keys of this giver, and returns how many. */
export async function block(username: string, andLeave: boolean): Promise<Outcome<number>> {
  return outcome(async () => {
    const leaves = read(z.boolean(), andLeave);
    const { left } = await blockGiver(await (leaves ? provenActor : actor)(), readUsername(username), {
      andLeave: leaves,
    });
    refresh();
    return left;
  });
}

/** Unblocks a giver of keys. */
export async function unblock(username: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await unblockGiver(await actor(), readUsername(username));
    refresh();
  });
}

/** Deletes a key for all its holders. */
export async function remove(keyId: string, request: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const user = await actorHere();
    const id = readId(keyId);
    const caller = inRequest(user, request, ["remove", id]);
    await once(caller, async () => deleteKey(caller, await findKey(caller, id)));
  });
}

const settings = newKey.omit({ data: true }).partial();

/** Spaces around what is no secret are typing slips. */
function withoutSlips(input: unknown): unknown {
  const fields = Object.entries(read(z.record(z.string(), z.unknown()), input));
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field !== "data" && typeof value === "string" ? value.trim() : value]),
  );
}

/** The fields of the form of links: numbers as text, and no days for access without an end. */
export interface ClaimLinkFields {
  links: string;
  most: string;
  days: string | null;
  openDays: string;
  note: string;
}

/** Creates claim links. */
export async function createLinks(
  keyId: string,
  input: ClaimLinkFields,
  request: string,
): Promise<Outcome<ShownLinks>> {
  return outcome(async () => {
    const user = await provenActor();
    const options = readFields(claimLinkOptions, input, { the: "This field", isNamed: false });
    const id = readId(keyId);
    const caller = inRequest(user, request, ["createLinks", id, options]);
    const row = await findKey(caller, id);
    const created = await createClaimLinks(caller, row, { ...options, origin: await pageOrigin() });
    refresh();
    return shownLinks(created, options.note);
  });
}

/** Ends the links of a batch, or the one with this number, and returns how many could be used until now. */
export async function endLinks(keyId: string, batchId: string, number: string): Promise<Outcome<number>> {
  return outcome(async () => {
    const caller = await actor();
    const row = await findKey(caller, readId(keyId));
    const ended = await endClaimLinks(caller, row, { batchId: readId(batchId), number: readNumber(number, "number") });
    refresh();
    return ended;
  });
}

const changeOptions = z.object({ change: z.enum(["add", "revoke"]), end: z.unknown().optional() });

/** Adds many users to a key, or revokes it from them, and returns what became of each. */
export async function changeMany(
  keyId: string,
  names: string,
  options: { change: HolderChange; end?: string },
): Promise<Outcome<NameResult[]>> {
  return outcome(async () => {
    const caller = await actorHere();
    const { change, end } = read(changeOptions, options);
    const until = readEnd(end);
    const id = readId(keyId);
    const list = readNames(read(z.string(), names));
    const results = await changeHolders(
      caller,
      id,
      change === "add" ? { names: list, adds: true, end: until } : { names: list, adds: false },
    );
    refresh();
    return results;
  }, "names");
}

/** The signed-in user has seen the news until this time. */
export async function hideNews(at: Date): Promise<Outcome<void>> {
  return outcome(async () => {
    await markNewsSeen(await actor(), read(z.date(), at));
    refresh();
  });
}

/** Offers a key to a user, who becomes its creator by accepting. */
export async function offer(keyId: string, username: string, request: string): Promise<Outcome<string>> {
  return outcome(async () => {
    const user = await provenActor();
    const [id, name] = [readId(keyId), readUsername(username)];
    const caller = inRequest(user, request, ["offer", id, name]);
    const { result } = await once(caller, async () => offerKey(caller, await findKey(caller, id), name));
    refresh();
    return result.user;
  }, "username");
}

/** Offers all keys of the signed-in user, if they are `expectedCount`. */
export async function offerAll(
  username: string,
  expectedCount: number,
  request: string,
): Promise<Outcome<{ user: string; keys: number }>> {
  return outcome(async () => {
    const user = await provenActor();
    const [name, count] = [readUsername(username), read(z.number(), expectedCount)];
    const caller = inRequest(user, request, ["offerAll", name, count]);
    const { result } = await once(caller, () => offerAllKeys(caller, name, count));
    refresh();
    return result;
  }, "username");
}

/** Withdraws an offer. */
export async function withdraw(keyId: string): Promise<Outcome<boolean>> {
  return outcome(async () => {
    const caller = await actor();
    const done = await withdrawOffer(caller, await findKey(caller, readId(keyId)));
    refresh();
    return done;
  });
}

/**
 * Accepts or declines these offers, one after another. Returns how many, and why one was refused, if any: all others
 * are decided regardless.
 */
export async function decideOffers(
  offers: DisplayedOffer[],
  accepts: boolean,
  request: string,
): Promise<Outcome<{ done: number; refused?: string }>> {
  return outcome(async () => {
    const user = await actor();
    const isAccepting = read(z.boolean(), accepts);
    let done = 0;
    let refused: string | undefined;
    for (const { id, ...displayed } of readOffers(offers))
      try {
        const caller = inRequest(user, request, [isAccepting ? `accept ${id}` : `decline ${id}`, displayed]);
        await once(caller, () =>
          isAccepting ? acceptOffer(caller, readId(id), displayed) : declineKey(caller, readId(id)),
        );
        done++;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        refused = error.message;
      }
    refresh();
    return { done, refused };
  });
}
