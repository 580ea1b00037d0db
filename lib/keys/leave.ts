import { ApiError } from "@/lib/errors";
import { findFor, type Viewer } from "./find";
import { revokeHolder } from "./holders";

/**
 * Gives back these keys of others, one after another, so that each is left or not, whatever becomes of the rest. Answers how many
 * the viewer held: one that was deleted meanwhile counts as left by nobody. Throws 400 `creator_access` for a key of one's own.
 */
export async function leaveKeys(viewer: Viewer, keyIds: string[]): Promise<number> {
  let left = 0;
  for (const id of keyIds) if (await leave(viewer, id)) left++;
  return left;
}

async function leave(viewer: Viewer, keyId: string): Promise<boolean> {
  try {
    return (await revokeHolder(viewer, await findFor(viewer, keyId), viewer.username)).revoked;
  } catch (error) {
    if (error instanceof ApiError && error.code === "key_not_found") return false;
    throw error;
  }
}
