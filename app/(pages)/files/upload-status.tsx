"use client";

import { useEffect, useSyncExternalStore } from "react";
import { UploadPanel } from "@/components/files/upload-panel";
import { ConflictDialog } from "./conflict-dialog";
import type { UploadQueue } from "./upload-queue";

/** How the uploads stand, and what they ask. Leaving the page asks first while some are not over. */
export function UploadStatus({ queue }: { queue: UploadQueue }) {
  const { list, paused, question } = useSyncExternalStore(queue.subscribe, queue.read, queue.read);

  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => queue.isBusy() && event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [queue]);

  return (
    <>
      {list.length > 0 && (
        <UploadPanel
          uploads={list}
          paused={paused}
          onCancel={(id) => queue.cancel(id)}
          onCancelAll={() => queue.cancelAll()}
          onRetry={() => queue.retryFailed()}
          onGoOn={() => queue.goOn()}
          onClose={() => queue.clear()}
        />
      )}
      {question && <ConflictDialog {...question} skip="Skip" onAnswer={(answer, forAll) => queue.answer(answer, forAll)} />}
    </>
  );
}
