"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { invalidParameter, userNotFound } from "@/lib/errors";
import { blockGiver, unblockGiver } from "@/lib/keys/blocks";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findFor } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { leaveKeys } from "@/lib/keys/leave";
import { revealData } from "@/lib/keys/reveal";
import { newKey } from "@/lib/keys/schema";
import { readChange, updateKey } from "@/lib/keys/update";
import { USERNAME } from "@/lib/usernames";
import { actor, type Outcome, outcome } from "../outcome";

/** Makes a key of the signed-in user's, and answers its id. */
export async function create(sent: { name: string; data: string; price: string }): Promise<Outcome<string>> {
  return outcome(async () => (await createKey(await actor(), readNewKey(sent))).id);
}

/** The secret of a key that the signed-in user holds. */
export async function reveal(keyId: string): Promise<Outcome<string>> {
  return outcome(async () => revealData(await actor(), readId(keyId)));
}

/** Changes a key's data, name or price, and answers the value as it is kept. */
export async function change(keyId: string, field: "data" | "name" | "price", value: string): Promise<Outcome<string>> {
  return outcome(async () => {
    const viewer = await actor();
    const row = await findFor(viewer, readId(keyId));
    const typed = z.string().parse(value);
    const asked = readChange({ id: row.id, key: field, data: field === "data" ? typed : typed.trim() });
    await updateKey(viewer, row, asked);
    refresh();
    return asked?.value ?? value;
  }, field);
}

/** Lets a user hold a key. */
export async function add(keyId: string, username: string): Promise<Outcome<{ user: string; added: boolean }>> {
  return outcome(async () => {
    const viewer = await actor();
    const answer = await addHolder(viewer, await findFor(viewer, readId(keyId)), readUsername(username));
    refresh();
    return answer;
  }, "username");
}

/** Takes a key from a user. */
export async function revoke(keyId: string, username: string): Promise<Outcome<{ user: string; revoked: boolean }>> {
  return outcome(async () => {
    const viewer = await actor();
    const answer = await revokeHolder(viewer, await findFor(viewer, readId(keyId)), readUsername(username));
    refresh();
    return answer;
  });
}

/** Gives keys of others back, and answers how many. */
export async function leave(keyIds: string[]): Promise<Outcome<number>> {
  return outcome(async () => {
    const left = await leaveKeys(await actor(), z.array(z.string()).max(1_000).parse(keyIds).map(readId));
    refresh();
    return left;
  });
}

/** Blocks who gives keys, with `andLeave` leaves all that this person gave, and answers how many those were. */
export async function block(username: string, andLeave: boolean): Promise<Outcome<number>> {
  return outcome(async () => {
    const { left } = await blockGiver(await actor(), readUsername(username), z.boolean().parse(andLeave));
    refresh();
    return left;
  });
}

/** Lets somebody give keys again. */
export async function unblock(username: string): Promise<Outcome<void>> {
  return outcome(async () => {
    await unblockGiver(await actor(), readUsername(username));
    refresh();
  });
}

/** Deletes a key for everybody who holds it. */
export async function remove(keyId: string): Promise<Outcome<void>> {
  return outcome(async () => {
    const viewer = await actor();
    await deleteKey(viewer, await findFor(viewer, readId(keyId)));
  });
}

// What an action is called with comes from outside, whatever its types say.

/** Blanks around a name or a price are slips of who typed them. */
const typedKey = z.object({ ...newKey.shape, name: z.string().trim().pipe(newKey.shape.name), price: z.string().trim().pipe(newKey.shape.price) });

function readNewKey(sent: unknown): z.infer<typeof newKey> {
  const parsed = typedKey.safeParse(sent);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidParameter(`The ${issue?.path.join(".")} ${issue?.message}.`, issue?.path.join("."));
}

function readId(sent: unknown): string {
  return z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .parse(sent);
}

function readUsername(sent: unknown): string {
  const name = z.string().parse(sent).trim();
  if (!USERNAME.test(name)) throw userNotFound();
  return name;
}
