import { ApiError, invalidParameter, userNotFound } from "@/lib/errors";
import { MOST_NAMES } from "@/lib/stated-bounds";
import type { Caller } from "@/lib/user";
import { USERNAME } from "@/lib/usernames";
import { findKey } from "./find";
import { addHolder, revokeHolder } from "./holders";
import type { AccessEnd } from "./until";

/** What became of one name. */
export interface NameResult {
  /** As it was typed, or as the user chose it. */
  user: string;
  changed: boolean;
  /** Why it was refused. */
  error?: string;
}

/**
 * Reads a pasted list or a CSV. In one line, commas, semicolons and blanks separate names; of several lines, each
 * begins with a name, and what follows is not read. A head `username` or `user` is none; a name that occurs twice
 * counts once. Throws 400 `invalid_parameter` for no name, and for more than `MOST_NAMES`.
 */
export function readNames(text: string): string[] {
  const names = new Map<string, string>();
  const lines = text.trim().split(/\s*[\r\n]+\s*/);
  const fields = lines.length > 1 ? lines.map((line) => line.split(/[,;\s]/, 1)[0] ?? "") : text.split(/[\s,;]+/);
  for (const field of fields) {
    // A name that begins like a formula has an apostrophe before it, as in our own files (lib/csv.ts).
    const name = field.replace(/^\ufeff?["']*|["']+$/g, "");
    if (name !== "" && !/^(username|user)$/i.test(name)) names.set(name.toLowerCase(), name);
    if (names.size > MOST_NAMES) throw invalidParameter(`You can change ${MOST_NAMES} users at a time.`, "names");
  }
  if (names.size === 0) throw invalidParameter("Type or paste at least one username.", "names");
  return [...names.values()];
}

/**
 * Adds these users to the key, one after another, as `addHolder` does, or revokes it from them: a refusal of one does
 * not stop the others. Throws 403 `not_creator` and 404 `key_not_found`.
 */
export async function changeHolders(
  caller: Caller,
  keyId: string,
  names: string[],
  change: { adds: true; end?: AccessEnd } | { adds: false },
): Promise<NameResult[]> {
  const row = await findKey(caller, keyId);
  const results: NameResult[] = [];
  for (const name of names)
    try {
      if (!USERNAME.test(name)) throw userNotFound();
      if (change.adds) {
        const { user, added, changed } = await addHolder(caller, row, name, change.end);
        results.push({ user, changed: added || changed });
      } else {
        const { user, revoked } = await revokeHolder(caller, row, name);
        results.push({ user, changed: revoked });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      results.push({ user: name.slice(0, 100), changed: false, error: error.message });
    }
  return results;
}
