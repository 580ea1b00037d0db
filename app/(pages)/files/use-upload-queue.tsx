import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useAcrossPages } from "../across-pages";
import { UploadQueue } from "./upload-queue";
import { UploadStatus } from "./upload-status";

/** The uploads of this window: they outlast this page, and show themselves on every other. Refreshes the list. */
export function useUploadQueue(): UploadQueue {
  const router = useRouter();
  const { kept, keep } = useAcrossPages<UploadQueue>();
  const [queue] = useState(() => kept ?? new UploadQueue());

  useEffect(() => keep({ what: queue, shown: <UploadStatus queue={queue} /> }), [keep, queue]);
  useEffect(() => queue.whenStored(() => router.refresh()), [queue, router]);
  return queue;
}
