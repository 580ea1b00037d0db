import { MAX_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { HOUR_MS, latestNow } from "@/lib/platform/time";
import { removeDraft } from "./change/draft";
import { removeVersionsBefore } from "./pieces/versions";
import { RESUMABLE_MS } from "./upload";

/** A draft without additions for this long no longer has a writer. */
const DRAFT_PATIENCE_MS = HOUR_MS;
/** Drafts per sweep; more wait for the next. */
const DRAFTS_AT_ONCE = 10_000;
/** Time between opening a document and reading its first piece. */
const MARGIN_MS = 10 * 60 * 1000;

/**
 * Removes what no reader can need any more, a few MB at a time: drafts whose writer died, and versions replaced longer
 * ago than a download may take. Returns the number of removed pieces.
 */
export async function sweepFiles(now: Date = new Date()): Promise<number> {
  let removed = 0;
  const abandonedBefore = new Date(now.getTime() - DRAFT_PATIENCE_MS);
  const resumableFrom = new Date(now.getTime() - RESUMABLE_MS);
  // From before the clock was set back: how old they are is unknown.
  await db.fileDraft.updateMany({ where: { refreshedAt: { gt: latestNow(now) } }, data: { refreshedAt: now } });
  await db.fileDraft.updateMany({
    where: {
      refreshedAt: { lt: abandonedBefore },
      OR: [{ refreshedAt: { lt: resumableFrom } }, { upload: null }, { upload: { received: 0 } }],
    },
    data: { refreshedAt: null },
  });
  for (const { id } of await db.fileDraft.findMany({
    where: { refreshedAt: null },
    select: { id: true },
    take: DRAFTS_AT_ONCE,
  }))
    removed += await removeDraft(id);

  // A version that has been the newest for this long has outlived all readers of earlier ones.
  const outlivedBefore = new Date(now.getTime() - MAX_DOWNLOAD_MS - MARGIN_MS);
  const outlived = await db.fileVersion.groupBy({
    by: ["userId"],
    where: { publishedAt: { lt: outlivedBefore } },
    _max: { version: true },
    having: { version: { _count: { gt: 1 } } },
  });
  for (const { userId, _max } of outlived)
    if (_max.version !== null) removed += await removeVersionsBefore(userId, _max.version);
  return removed;
}
