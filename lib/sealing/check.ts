import { sql } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { type UserKeyRow, userKeysAfter } from "./rows";
import { openUserKey, type SealedBy } from "./user-keys";

const KEYS_AT_ONCE = 500;

/** Keys of users that do not open, except those under data keys that are `lost`. */
export async function* damagedUserKeys(lost: readonly number[]): AsyncGenerator<SealedBy> {
  for (let place: SealedBy | undefined = { userId: "", number: 0 }; place; await turnOfOthers()) {
    const rows: UserKeyRow[] = await sql.read(userKeysAfter(place, KEYS_AT_ONCE));
    for (const row of rows) if (!lost.includes(row.dataKeyId) && !(await openUserKey(row))) yield row;
    place = rows.at(-1);
  }
}
