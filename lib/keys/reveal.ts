import { ApiError } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { findKey } from "./find";

/** The secret of a key that the caller holds. Throws 404 `key_not_found`, 403 `not_holder`. */
export async function revealData(caller: Caller, keyId: string): Promise<string> {
  const { data, since } = await findKey(caller, keyId);
  if (since === null) throw new ApiError(403, "not_holder", "You do not hold this key.");
  return data;
}
