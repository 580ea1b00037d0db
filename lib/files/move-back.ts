import type { FileOwner } from "./document/entry";
import { checkName } from "./document/names";
import { type Moved, moveEntries } from "./move";
import { restoreEntries } from "./restore";

/**
 * Undoes a move: the entries return into the folder `from` under their former names, or as "name (2)" if a name is
 * taken there meanwhile; then what they replaced is restored. Throws as `moveEntries` does, and as `restoreEntries` if
 * that is no longer kept.
 */
export async function moveBack(
  user: FileOwner,
  { ids, from, version, replaced, renamed }: Moved & { ids: readonly string[]; from: string },
  now: Date = new Date(),
): Promise<void> {
  for (const { name } of renamed) checkName(name);
  const names = new Map(renamed.map(({ id, name }) => [id, name]));
  await moveEntries(user, ids, from, "keep", now, names);
  if (replaced.length > 0) await restoreEntries(user, { version, ids: replaced }, now);
}
