import { ApiError } from "@/lib/errors";
import { findFor, type Viewer } from "./find";

/** The secret of a key that the viewer holds. Throws 404 `key_not_found`, 403 `not_holder`. */
export async function revealData(viewer: Viewer, keyId: string): Promise<string> {
  const { data, since } = await findFor(viewer, keyId);
  if (since === null) throw new ApiError(403, "not_holder", "You do not hold this key.");
  return data;
}
