import { ApiError, invalidParameter } from "@/lib/errors";
import { type Caller, findUser } from "@/lib/user";
import { findKey } from "./find";
import { addHolder, revokeHolder } from "./holders";
import { KEYS_A_PAGE } from "./list";
import type { KeyRow } from "./rows";

/** What became of one key. */
export interface KeyResult {
  id: string;
  /** False if there was nothing to change, or if it was refused. */
  changed: boolean;
  /** Why it was refused. */
  error?: string;
}

export interface ManyResult {
  /** The user's name as it was chosen. */
  user: string;
  results: KeyResult[];
}

/**
 * Adds a holder to each of these keys, one after another, as `addHolder` does: a refusal of one does not stop the
 * others. Throws 404 `user_not_found`, 400 for more keys than a page of the list shows.
 */
export function addHolderToMany(caller: Caller, keyIds: string[], name: string): Promise<ManyResult> {
  return changeMany(caller, keyIds, name, async (row, user) => (await addHolder(caller, row, user)).added);
}

/** Revokes each of these keys from a user, as `revokeHolder` does. Otherwise as `addHolderToMany`. */
export function revokeHolderOfMany(caller: Caller, keyIds: string[], name: string): Promise<ManyResult> {
  return changeMany(caller, keyIds, name, async (row, user) => (await revokeHolder(caller, row, user)).revoked);
}

async function changeMany(
  caller: Caller,
  keyIds: string[],
  name: string,
  change: (row: KeyRow, user: string) => Promise<boolean>,
): Promise<ManyResult> {
  if (keyIds.length > KEYS_A_PAGE)
    throw invalidParameter(`You can change ${KEYS_A_PAGE} keys at a time. Select fewer.`, "keys");
  const { username } = await findUser(name);
  const results: KeyResult[] = [];
  for (const id of keyIds) results.push(await changeOne(caller, id, (row) => change(row, username)));
  return { user: username, results };
}

async function changeOne(caller: Caller, id: string, change: (row: KeyRow) => Promise<boolean>): Promise<KeyResult> {
  try {
    return { id, changed: await change(await findKey(caller, id)) };
  } catch (error) {
    if (error instanceof ApiError) return { id, changed: false, error: error.message };
    throw error;
  }
}
