import { userNotFound } from "@/lib/accounts/errors";
import { type Caller, findUser, USERNAME } from "@/lib/accounts/identity/user";
import { MAX_NAMES } from "@/lib/platform/bounds";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { findKey } from "./access";
import { addHolder } from "./grant";
import { KEYS_A_PAGE } from "./list";
import type { KeyRow } from "./queries";
import { revokeHolder } from "./revoke";
import type { AccessEnd } from "./until";

/** What became of one of several users or keys. */
export interface ChangeResult {
  /** The user's name or the key's id. */
  item: string;
  /** False if there was nothing to change, or if it was refused. */
  changed: boolean;
  /** Why it was refused. */
  error?: string;
}

/** Makes the change for one after another: a refusal of one does not stop the others. */
async function each(items: string[], change: (item: string) => Promise<ChangeResult>): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  for (const item of items)
    try {
      results.push(await change(item));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      results.push({ item: item.slice(0, 100), changed: false, error: error.message });
    }
  return results;
}

/**
 * Reads a pasted list or a CSV. In one line, commas, semicolons and blanks separate names; of several lines, each
 * begins with a name, and what follows is not read. A head `username` or `user` is none; a name that occurs twice
 * counts once. Throws 400 `invalid_parameter` for no name, and for more than `MAX_NAMES`.
 */
export function readNames(text: string): string[] {
  const names = new Map<string, string>();
  const lines = text.trim().split(/\s*[\r\n]+\s*/);
  const fields = lines.length > 1 ? lines.map((line) => line.split(/[,;\s]/, 1)[0] ?? "") : text.split(/[\s,;]+/);
  for (const field of fields) {
    // A name that begins like a formula has an apostrophe before it, as in our own files (lib/platform/csv.ts).
    const name = field.replace(/^\ufeff?["']*|["']+$/g, "");
    if (name !== "" && !/^(username|user)$/i.test(name)) names.set(name.toLowerCase(), name);
    if (names.size > MAX_NAMES) throw invalidParameter(`You can change ${MAX_NAMES} users at a time.`, "names");
  }
  if (names.size === 0) throw invalidParameter("Type or paste at least one username.", "names");
  return [...names.values()];
}

/**
 * Adds these users to the key as `addHolder` does, or revokes it from them. Who is not refused is named as the user
 * chose it. Throws 403 `not_creator` and 404 `key_not_found`.
 */
export async function changeHolders(
  caller: Caller,
  keyId: string,
  { names, ...change }: { names: string[] } & ({ adds: true; end?: AccessEnd } | { adds: false }),
): Promise<ChangeResult[]> {
  const row = await findKey(caller, keyId);
  return each(names, async (username) => {
    if (!USERNAME.test(username)) throw userNotFound();
    if (!change.adds) {
      const { user, revoked } = await revokeHolder(caller, row, username);
      return { item: user, changed: revoked };
    }
    const { user, added, changed } = await addHolder(caller, row, { username, end: change.end });
    return { item: user, changed: added || changed };
  });
}

interface ManyResult {
  /** The user's name as it was chosen. */
  user: string;
  /** Of each key. */
  results: ChangeResult[];
}

/**
 * Adds a holder to each of these keys as `addHolder` does. Throws 404 `user_not_found`, 400 for more keys than a page
 * of the list shows.
 */
export function addHolderToMany(caller: Caller, keyIds: string[], name: string): Promise<ManyResult> {
  const change = async (row: KeyRow, username: string) => (await addHolder(caller, row, { username })).added;
  return changeKeys(caller, keyIds, { name, change });
}

/** Revokes each of these keys from a user, as `revokeHolder` does. Otherwise as `addHolderToMany`. */
export function revokeHolderOfMany(caller: Caller, keyIds: string[], name: string): Promise<ManyResult> {
  const change = async (row: KeyRow, username: string) => (await revokeHolder(caller, row, username)).revoked;
  return changeKeys(caller, keyIds, { name, change });
}

async function changeKeys(
  caller: Caller,
  keyIds: string[],
  { name, change }: { name: string; change: (row: KeyRow, user: string) => Promise<boolean> },
): Promise<ManyResult> {
  if (keyIds.length > KEYS_A_PAGE)
    throw invalidParameter(`You can change ${KEYS_A_PAGE} keys at a time. Select fewer.`, "keys");
  const { username } = await findUser(name);
  const results = await each(keyIds, async (id) => ({
    item: id,
    changed: await change(await findKey(caller, id), username),
  }));
  return { user: username, results };
}
