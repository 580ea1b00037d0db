import type { Statements } from "@/lib/db/client";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { filesLimit } from "./errors";
import { filesSummary } from "./summary";

/** Of one user at a time; one without progress ends after an hour. */
const MOST_UPLOADS = 100;

/** What is on its way takes room too, so that nobody can send more than there is room for. */
export async function checkRoom(tx: Statements, userId: string, bytes: number): Promise<void> {
  const stored = await filesSummary(userId, tx);
  const uploads = await tx.fileUpload.findMany({ where: { userId, draft: { refreshedAt: { not: null } } }, select: { totalBytes: true, isText: true } });
  if (uploads.length >= MOST_UPLOADS)
    throw new ApiError(429, "too_many_uploads", "Too many uploads are under way. Finish or cancel some of them.", { "Retry-After": "60" });
  const coming = uploads.reduce((sum, { totalBytes, isText }) => sum + storedBytes(Number(totalBytes), isText), bytes);
  if (stored.bytes + coming > env.FILE_BYTES_PER_USER)
    throw filesLimit(`There is room for ${env.FILE_BYTES_PER_USER.toLocaleString("en")} bytes in all, and this would need more. Nothing was changed.`);
  if (stored.entries + uploads.length + 1 > env.FILE_ENTRIES_PER_USER)
    throw filesLimit(
      `There is room for ${env.FILE_ENTRIES_PER_USER.toLocaleString("en")} files and folders in all, and this would be more. Nothing was changed.`,
    );
}

/** Bytes of what so many become as they are stored. */
export function storedBytes(bytes: number, isText: boolean): number {
  return isText ? bytes : Math.ceil(bytes / 3) * 4;
}
