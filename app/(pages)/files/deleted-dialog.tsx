"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { Loader, Notice } from "@/components/feedback";
import { Actions } from "@/components/page";
import { RelativeTime } from "@/components/time";
import type { PastDeletion } from "@/lib/files/restore";
import { durationInWords, MAX_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { ActionButton, ActionError, ActionGroup, ErrorNotice } from "../action-form";
import { useAction } from "../use-action";
import { recentlyDeleted, restoreDeleted } from "./actions";
import styles from "./deleted-dialog.module.css";
import { EntryIcon } from "./entry-icon";

interface DeletedListProps {
  deletions: PastDeletion[];
  onRestored: (version: number) => void;
}

/** Deletions, each with what it removed and when. */
function DeletedList({ deletions, onRestored }: DeletedListProps) {
  return (
    <ul className={styles.list} aria-label="Deletions">
      {deletions.map(({ version, at, entries, names, more }) => (
        <li key={version}>
          {names[0] && <EntryIcon {...names[0]} />}
          <div className={styles.what}>
            <strong id={`deletion-${version}`}>
              <bdi translate="no">{inWords(names, more)}</bdi>
            </strong>
            <span className={styles.soft}>
              <span>{entries === 1 ? "1 item" : `${entries.toLocaleString("en")} items`}</span>, deleted{" "}
              <RelativeTime at={new Date(at)} precise />
            </span>
          </div>
          <ActionButton
            size="sm"
            aria-describedby={`deletion-${version}`}
            action={restoreDeleted}
            input={version}
            onDone={() => onRestored(version)}
          >
            Restore
          </ActionButton>
        </li>
      ))}
    </ul>
  );
}

function inWords(names: PastDeletion["names"], more: number | null): string {
  const named = names.map(({ name }) => name).join(", ");
  if (more === null) return `${named} and more`;
  return more > 0 ? `${named} and ${more.toLocaleString("en")} more` : named;
}

const RETENTION = durationInWords(MAX_DOWNLOAD_MS / 1_000);

/** What was deleted lately, each with a button that restores it. */
export function DeletedDialog({ onClose }: { onClose: () => void }) {
  const { run, busy, error } = useAction();
  const [deletions, setDeletions] = useState<PastDeletion[] | null>(null);
  const [isRestored, setRestored] = useState(false);
  const [tries, setTries] = useState(0);
  const close = useRef<HTMLButtonElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, and again for each try
  useEffect(() => {
    run(recentlyDeleted).then((listed) => listed && setDeletions(listed.ok));
  }, [tries]);

  function drop(version: number) {
    setDeletions((before) => before?.filter((deletion) => deletion.version !== version) ?? null);
    setRestored(true);
    // The focus would otherwise be lost with the button that had it.
    close.current?.focus();
  }

  return (
    <Dialog onClose={onClose} title="Recently deleted">
      <p>{`Deleted items can be restored for ${RETENTION}, or less if newer changes need the space.`}</p>
      {!deletions && busy && <Loader aria-label="Loading" />}
      {deletions?.length === 0 && !isRestored && <p>Nothing to restore.</p>}
      <ActionGroup>
        {deletions && deletions.length > 0 && <DeletedList deletions={deletions} onRestored={drop} />}
        <ActionError />
      </ActionGroup>
      <ErrorNotice error={error} />
      <Notice kind="done">{isRestored && "Restored."}</Notice>
      <Actions>
        {!deletions && error && <Button onClick={() => setTries(tries + 1)}>Try again</Button>}
        <Button ref={close} variant="default" onClick={onClose}>
          Close
        </Button>
      </Actions>
    </Dialog>
  );
}
