"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { DeletedList } from "@/components/files/deleted-list";
import { Loader } from "@/components/loader";
import { Notice } from "@/components/notice";
import { Actions } from "@/components/panel";
import type { PastDeletion } from "@/lib/files/restore";
import { durationInWords, LONGEST_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { recentlyDeleted, restoreDeleted } from "./actions";

const KEPT = durationInWords(LONGEST_DOWNLOAD_MS / 1_000);

/** What was deleted lately, each with a button that restores it. */
export function DeletedDialog({ onClose }: { onClose: () => void }) {
  const { run, busy, error, done, setDone } = useAction();
  const [deletions, setDeletions] = useState<PastDeletion[] | null>(null);
  const [restoring, setRestoring] = useState<number | null>(null);
  const [tries, setTries] = useState(0);
  const close = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and again for each try
  useEffect(() => {
    run(recentlyDeleted).then((found) => found && setDeletions(found.ok));
  }, [tries]);

  async function restore(version: number) {
    setRestoring(version);
    const restored = await run(() => restoreDeleted(version));
    setRestoring(null);
    if (!restored) return;
    setDeletions((before) => before?.filter((deletion) => deletion.version !== version) ?? null);
    setDone("Restored.");
    // The focus would otherwise be lost with the button that had it.
    close.current?.focus();
  }

  return (
    <Dialog opened onClose={onClose} title="Recently deleted">
      <p>{`Deleted items can be restored for ${KEPT}, or less if newer changes need the room.`}</p>
      {!deletions && busy && <Loader aria-label="Loading" />}
      {deletions?.length === 0 && !done && <p>Nothing to restore.</p>}
      {deletions && deletions.length > 0 && (
        <DeletedList deletions={deletions} restoring={restoring} onRestore={(version) => void restore(version)} />
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      <Actions>
        {!deletions && error && <Button onClick={() => setTries(tries + 1)}>Try again</Button>}
        <Button ref={close} variant="default" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  );
}
