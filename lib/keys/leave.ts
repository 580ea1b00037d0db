import { ApiError } from "@/lib/errors";
import type { Caller } from "@/lib/user";
import { findKey } from "./find";
import { revokeHolder } from "./holders";

/**
 * Leaves these keys of others, one after another, so that each is left or not regardless of the rest. Returns how many
 * the caller held; a key deleted meanwhile does not count. Throws 400 `creator_access` for one's own key.
 */
export async function leaveKeys(caller: Caller, keyIds: string[]): Promise<number> {
  let left = 0;
  for (const id of keyIds) if (await leave(caller, id)) left++;
  return left;
}

async function leave(caller: Caller, keyId: string): Promise<boolean> {
  try {
    return (await revokeHolder(caller, await findKey(caller, keyId), caller.username)).revoked;
  } catch (error) {
    if (error instanceof ApiError && error.code === "key_not_found") return false;
    throw error;
  }
}
