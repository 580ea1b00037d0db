import type { Statements } from "@/lib/db/client";
import { ApiError } from "@/lib/errors";
import { findQuotas } from "@/lib/quotas";
import { overQuota } from "../errors";

/** Unfinished uploads per user; one without progress ends after a day. */
const MOST_UPLOADS = 100;

/** Running uploads count too, so that nobody can send more than fits. The user must be locked. */
export async function checkUploadQuota(
  tx: Statements,
  userId: string,
  stored: { entries: number; bytes: number },
  bytes: number,
): Promise<void> {
  const uploads = await tx.fileUpload.findMany({
    where: { userId, draft: { refreshedAt: { not: null } } },
    select: { totalBytes: true, isText: true },
  });
  if (uploads.length >= MOST_UPLOADS)
    throw new ApiError(429, "too_many_uploads", "Too many uploads are in progress. Finish or cancel some of them.", {
      "Retry-After": "60",
    });
  const coming = uploads.reduce((sum, { totalBytes, isText }) => sum + storedBytes(Number(totalBytes), isText), bytes);
  const most = await findQuotas(userId, tx);
  if (stored.bytes + coming > most.fileBytes) throw overQuota(most.fileBytes, "bytes in all, and this would need more");
  if (stored.entries + uploads.length + 1 > most.entries)
    throw overQuota(most.entries, "files and folders in all, and this would be more");
}

/** The stored size of this many bytes. */
export function storedBytes(bytes: number, isText: boolean): number {
  return isText ? bytes : Math.ceil(bytes / 3) * 4;
}
