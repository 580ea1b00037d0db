import { ApiError } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { findKey } from "./find";
import { dataOf } from "./sealed-data";

/** The secret of a key that the caller holds. Throws 404 `key_not_found`, 403 `not_holder`, 500 `data_damaged`. */
export async function revealData(caller: Caller, keyId: string): Promise<string> {
  const row = await findKey(caller, keyId);
  if (row.since === null) throw new ApiError(403, "not_holder", "You do not hold this key.");
  return dataOf(row);
}
