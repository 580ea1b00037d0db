"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { findKey } from "@/lib/keys/access";
import { blockGiver, unblockGiver } from "@/lib/keys/block";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { type Added, addHolder, addHolderToMany, type ManyResult, revokeHolderOfMany } from "@/lib/keys/grant";
import { leaveKeys, revokeHolder } from "@/lib/keys/revoke";
import { newKey } from "@/lib/keys/schema";
import { readChange, updateKey } from "@/lib/keys/update";
import { revealData } from "@/lib/keys/view";
import { actor, actorHere, type Outcome, outcome, provenActor } from "../outcome";
import { read } from "../read";
import { readEnd, readFields, readId, readIds, readUsername } from "./read";

/** Creates a key for the signed-in user, and returns its id. */
export async function create(sent: { name: string; data: string; price: string }): Promise<Outcome<string>> {
  return outcome(async () => (await createKey(await actor(), readFields(typedKey, sent, "The"))).id);
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

/**
 * Changes a key's name and price, those that are sent: none if one of them is refused. Returns both as they are stored.
 */
export async function saveSettings(
  keyId: string,
  sent: { name?: string; price?: string },
): Promise<Outcome<{ name: string; price: string }>> {
  return outcome(async () => {
    const caller = await actor();
    const row = await findKey(caller, readId(keyId));
    const next = { name: row.name, price: row.price, ...readFields(settings, sent, "The new") };
    for (const field of ["name", "price"] as const)
      if (next[field] !== row[field]) await updateKey(caller, row, { field, value: next[field] });
    refresh();
    return { name: next.name, price: next.price };
  });
}

/** Adds a holder to a key. `end` as the API takes it: without it, a new holder's access has none. */
export async function add(keyId: string, username: string, end?: string): Promise<Outcome<Added>> {
  return outcome(async () => {
    const caller = await actorHere();
    const until = readEnd(end);
    const answer = await addHolder(caller, await findKey(caller, readId(keyId)), readUsername(username), until);
    refresh();
    return answer;
  }, "username");
}

/** Revokes a key from a user. */
export async function revoke(keyId: string, username: string): Promise<Outcome<{ user: string; revoked: boolean }>> {
  return outcome(async () => {
    const caller = await actor();
    const answer = await revokeHolder(caller, await findKey(caller, readId(keyId)), readUsername(username));
    refresh();
    return answer;
  });
}

/** Adds a holder to several keys, and returns what became of each. */
export async function addToKeys(keyIds: string[], username: string): Promise<Outcome<ManyResult>> {
  return outcome(async () => {
    const answer = await addHolderToMany(await provenActor(), readIds(keyIds), readUsername(username));
    refresh();
    return answer;
  }, "username");
}

/** Revokes several keys from a user, and returns what became of each. */
export async function revokeFromKeys(keyIds: string[], username: string): Promise<Outcome<ManyResult>> {
  return outcome(async () => {
    const answer = await revokeHolderOfMany(await actor(), readIds(keyIds), readUsername(username));
    refresh();
    return answer;
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
    const { left } = await blockGiver(await (leaves ? provenActor : actor)(), readUsername(username), leaves);
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
export async function remove(keyId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const caller = await actorHere();
    await deleteKey(caller, await findKey(caller, readId(keyId)));
  });
}

/** Spaces around a name or a price are typing slips. */
const typedKey = z.object({
  ...newKey.shape,
  name: z.string().trim().pipe(newKey.shape.name),
  price: z.string().trim().pipe(newKey.shape.price),
});

const settings = typedKey.pick({ name: true, price: true }).partial();
