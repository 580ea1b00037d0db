"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { confirmBeforeSignOut } from "@/components/auth";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/page";
import { useToast } from "@/components/toast";
import { isPage } from "@/lib/platform/http/pages";
import { useAcrossPages } from "../across-pages";
import { useAction } from "../use-action";
import { ConflictDialog } from "./conflict-dialog";
import { forgetUnsent, keepUnsent } from "./unfinished";
import { type ConflictAnswer, countUploads, UploadRate, uploadsInWords } from "./upload-job";
import { UploadPanel } from "./upload-panel";
import { UploadQueue } from "./upload-queue";

/** What is used here of the browser's Navigation API, which TypeScript does not know yet. */
interface NavigateEvent extends Event {
  navigationType: "push" | "replace" | "reload" | "traverse";
  destination: { url: string; sameDocument: boolean };
  userInitiated: boolean;
  downloadRequest: string | null;
  formData: FormData | null;
}

/**
 * While `isOn`, links to our pages change the page within this document: a new document would end what runs in this
 * one. Browsers without the Navigation API load it, after the question of `beforeunload`.
 */
function useSoftNavigation(isOn: boolean): void {
  const router = useRouter();
  useEffect(() => {
    const navigation = Reflect.get(window, "navigation") as EventTarget | undefined;
    if (!isOn || !navigation) return;
    let last = "";
    const soften = (event: Event) => {
      const { navigationType, destination, userInitiated, downloadRequest, formData, cancelable } =
        event as NavigateEvent;
      const { origin, pathname, search, hash, href } = new URL(destination.url);
      if (destination.sameDocument || navigationType === "reload" || navigationType === "traverse") return;
      if (!cancelable || formData || downloadRequest !== null) return;
      if (origin !== window.location.origin || !isPage(pathname)) return;
      // Scripts go to a key that they created. Elsewhere they go because a session begins or ends, which the head must
      // show, or are Next's own, because it could not change the page.
      if (!userInitiated && (!pathname.startsWith("/keys") || href === last)) return;
      event.preventDefault();
      last = href;
      router.push(pathname + search + hash);
    };
    navigation.addEventListener("navigate", soften);
    return () => navigation.removeEventListener("navigate", soften);
  }, [isOn, router]);
}

const EVERY_MS = 1_000;

/** How many bytes per second are sent while uploads are open: measured once a second, undefined until then. */
function useUploadRate(uploaded: number, isOpen: boolean): number | undefined {
  const [rate, setRate] = useState<number>();
  const latest = useRef(uploaded);
  latest.current = uploaded;
  useEffect(() => {
    if (!isOpen) return;
    const measured = new UploadRate(latest.current, performance.now());
    const timer = setInterval(() => setRate(measured.measure(latest.current, performance.now())), EVERY_MS);
    return () => {
      clearInterval(timer);
      setRate(undefined);
    };
  }, [isOpen]);
  return rate;
}

/** Skipping loses nothing: the file stays on the device. Replacing can't be undone. */
const ANSWERS = [
  ["skip", "Skip"],
  ["replace", "Replace"],
  ["keep", "Keep both"],
] as const;

/**
 * The state of the uploads, and their questions, below every page of this window while there is something to show.
 * Closing the window and signing out ask for confirmation while some are unfinished.
 */
function UploadStatus({ queue, username }: { queue: UploadQueue; username: string }) {
  const { list, paused, question } = useSyncExternalStore(queue.subscribe, queue.read, queue.read);
  const isElsewhere = !usePathname().startsWith("/files");
  const [isAnswering, setAnswering] = useState(false);
  const { open, failed } = countUploads(list);
  const rate = useUploadRate(
    list.reduce((sum, { uploaded }) => sum + uploaded, 0),
    open > 0,
  );
  useSoftNavigation(list.length > 0);
  useEndElsewhere(queue, isElsewhere, { isOpen: open > 0, isOver: list.length > 0 && open + failed === 0 });

  const { run, error } = useAction();

  /** The user may have to confirm who they are before something is replaced. */
  async function answer(chosen: ConflictAnswer, forAll: boolean) {
    const isAllowed = async () => (await import("../_signing-in/identity-dialog")).mayReplace();
    if (chosen !== "replace" || (await run(isAllowed))) queue.answer(chosen, forAll);
  }

  useEffect(() => {
    if (!question) setAnswering(false);
  }, [question]);

  useEffect(() => {
    const confirmLeave = (event: BeforeUnloadEvent) => queue.isBusy() && event.preventDefault();
    const keep = () => queue.read().list.length > 0 && keepUnsent(username, queue.unsent());
    // A browser that crashes, or a battery that is empty, says nothing before.
    const timer = setInterval(keep, 2_000);
    window.addEventListener("beforeunload", confirmLeave);
    window.addEventListener("pagehide", keep);
    return () => {
      clearInterval(timer);
      window.removeEventListener("beforeunload", confirmLeave);
      window.removeEventListener("pagehide", keep);
    };
  }, [queue, username]);
  const isLeft = open + failed > 0;
  useEffect(() => (isLeft ? () => keepUnsent(username, null) : undefined), [isLeft, username]);

  return (
    <>
      {list.length > 0 && (
        <UploadPanel
          queue={queue}
          uploads={list}
          rate={rate}
          paused={paused}
          isElsewhere={isElsewhere}
          onAnswer={question && isElsewhere ? () => setAnswering(true) : undefined}
        />
      )}
      {question && (isAnswering || !isElsewhere) && (
        <ConflictDialog
          {...question}
          answers={ANSWERS}
          error={error}
          onAnswer={(chosen, forAll) => void answer(chosen, forAll)}
        />
      )}
      <SignOutDialog queue={queue} />
    </>
  );
}

/** On another page, uploads that have succeeded are reported in a toast, and leave. */
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
      confirmBeforeSignOut(async () => {
        const leaves = !queue.isBusy() || (await new Promise<boolean>((resolve) => setDecide(() => resolve)));
        setDecide(null);
        if (leaves) {
          queue.cancelAll();
          queue.clear();
          forgetUnsent();
        }
        return leaves;
      }),
    [queue],
  );

  if (!decide) return null;
  return (
    <Dialog onClose={() => decide(false)} title="Sign out during an upload?">
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

/** The uploads of this window: they outlast this page, and show themselves on every other. Refreshes the list. */
export function useUploadQueue(username: string): UploadQueue {
  const router = useRouter();
  const { carried, carry } = useAcrossPages<UploadQueue>();
  const [queue] = useState(() => carried ?? new UploadQueue());

  useEffect(
    () => carry({ what: queue, shown: <UploadStatus queue={queue} username={username} /> }),
    [carry, queue, username],
  );
  useEffect(() => queue.whenStored(() => router.refresh()), [queue, router]);
  return queue;
}
