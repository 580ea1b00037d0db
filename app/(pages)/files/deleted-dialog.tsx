"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { Loader, Notice } from "@/components/feedback";
import { Actions } from "@/components/page";
import { RelativeTime } from "@/components/time";
import type { PastDeletion } from "@/lib/files/restore";
import { counted, durationInWords, MAX_DOWNLOAD_MS } from "@/lib/platform/bounds";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { recentlyDeleted, restoreDeleted } from "./actions";
import styles from "./dialogs.module.css";
import { EntryIcon } from "./icons";

/** A deletion: what it removed, and when. */
function Deletion({ deletion, onRestored }: { deletion: PastDeletion; onRestored: () => void }) {
  const { version, at, entries, names, more } = deletion;
  return (
    <li>
      {names[0] && <EntryIcon {...names[0]} />}
      <div className={styles.what}>
        <strong id={`deletion-${version}`}>
          <bdi translate="no">{inWords(names, more)}</bdi>
        </strong>
        <span className={styles.soft}>
          <span>{counted(entries, "item", "items")}</span>, deleted <RelativeTime at={new Date(at)} precise />
        </span>
      </div>
      <ActionButton
        size="sm"
        aria-describedby={`deletion-${version}`}
        action={restoreDeleted}
        input={version}
        onDone={onRestored}
      >
        Restore
      </ActionButton>
    </li>
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
        {deletions && deletions.length > 0 && (
          <ul className={styles.list} aria-label="Deletions">
            {deletions.map((deletion) => (
              <Deletion key={deletion.version} deletion={deletion} onRestored={() => drop(deletion.version)} />
            ))}
          </ul>
        )}
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
