import { db } from "@/lib/db/client";
import { removePieces } from "./pieces/remove";

/**
 * Removes everything a user has stored, in batches, so that others need not wait. Nobody can read it any more; running
 * reads are cut off. For an account that nobody can use any more. Idempotent, also when run concurrently.
 */
export async function deleteAllFiles(userId: string): Promise<void> {
  await db.fileDocument.deleteMany({ where: { userId } });
  await removePieces({ userId });
  await db.fileDraft.deleteMany({ where: { userId } });
}
