"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { UploadPanel } from "@/components/files/upload-panel";
import { countUploads, uploadsInWords } from "@/components/files/uploads-in-words";
import { Actions } from "@/components/panel";
import { askBeforeSignOut } from "@/components/sign-out";
import { useToast } from "@/components/toast";
import { ConflictDialog } from "./conflict-dialog";
import type { UploadQueue } from "./upload-queue";
import { useSoftNavigation } from "./use-soft-navigation";
import { useUploadRate } from "./use-upload-rate";

/**
 * The state of the uploads, and their questions, below every page of this window while there is something to say.
 * Closing the window and signing out ask for confirmation while some are unfinished.
 */
export function UploadStatus({ queue }: { queue: UploadQueue }) {
  const { list, paused, question } = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const isElsewhere = !usePathname().startsWith("/files");
  const [isAnswering, setAnswering] = useState(false);
  const { open, failed } = countUploads(list);
  const rate = useUploadRate(
    list.reduce((sum, { sent }) => sum + sent, 0),
    open > 0,
  );
  useSoftNavigation(list.length > 0);
  useEndElsewhere(queue, isElsewhere, { isOpen: open > 0, isOver: list.length > 0 && open + failed === 0 });

  useEffect(() => {
    if (!question) setAnswering(false);
  }, [question]);

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
          rate={rate}
          paused={paused}
          isElsewhere={isElsewhere}
          onAnswer={question && isElsewhere ? () => setAnswering(true) : undefined}
          onCancel={(id) => queue.cancel(id)}
          onReplace={(id, file) => queue.replace(id, file)}
          onCancelAll={() => queue.cancelAll()}
          onRetry={() => queue.retryFailed()}
          onGoOn={() => queue.goOn()}
          onClose={() => queue.clear()}
        />
      )}
      {question && (isAnswering || !isElsewhere) && (
        <ConflictDialog {...question} skip="Skip" onAnswer={(answer, forAll) => queue.answer(answer, forAll)} />
      )}
      <SignOutDialog queue={queue} />
    </>
  );
}

/** On another page, uploads that have come to a good end say so in a toast, and leave. */
function useEndElsewhere(
  queue: UploadQueue,
  isElsewhere: boolean,
  { isOpen, isOver }: { isOpen: boolean; isOver: boolean },
) {
  const toast = useToast();
  const ranElsewhere = useRef(false);
  useEffect(() => {
    if (isOpen) ranElsewhere.current = isElsewhere;
    if (!isElsewhere || !isOver) return;
    if (ranElsewhere.current) toast({ text: `${uploadsInWords(countUploads(queue.read().list))}.` });
    ranElsewhere.current = false;
    queue.clear();
  }, [queue, isElsewhere, isOpen, isOver, toast]);
}

/** Asks before signing out while uploads are unfinished. */
function SignOutDialog({ queue }: { queue: UploadQueue }) {
  const [decide, setDecide] = useState<((leaves: boolean) => void) | null>(null);

  useEffect(
    () =>
      askBeforeSignOut(async () => {
        const leaves = !queue.isBusy() || (await new Promise<boolean>((resolve) => setDecide(() => resolve)));
        setDecide(null);
        if (leaves) {
          queue.cancelAll();
          queue.clear();
        }
        return leaves;
      }),
    [queue],
  );

  if (!decide) return null;
  return (
    <Dialog opened onClose={() => decide(false)} title="Sign out during an upload?">
      <p>Not all files have been uploaded. Signing out cancels the rest.</p>
      <Actions>
        <Button onClick={() => decide(true)}>Sign out</Button>
        <Button variant="default" onClick={() => decide(false)}>
          Cancel
        </Button>
      </Actions>
    </Dialog>
  );
}
