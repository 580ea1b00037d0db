"use client";

import { useState } from "react";
import { When } from "@/components/content/time";
import { readableBytes } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { Checkbox } from "@/components/controls/checkbox";
import { Dialog } from "@/components/feedback/dialog";
import { Actions } from "@/components/frame/panel";
import styles from "./conflict-dialog.module.css";
import type { Compared, Conflict, ConflictAnswer } from "./upload-job";

interface ConflictDialogProps {
  conflict: Conflict;
  /** How many of these questions there are so far, with this one; and how many more may raise one. */
  raised: number;
  waiting: number;
  /** The label for leaving things as they are. */
  skip: string;
  onAnswer: (answer: ConflictAnswer, forAll: boolean) => void;
}

/** Asks what to do about a name that exists, and shows size and date of both. Escape leaves things as they are. */
export function ConflictDialog({ conflict, raised, waiting, skip, onAnswer }: ConflictDialogProps) {
  const [forAll, setForAll] = useState(false);
  return (
    <Dialog opened onClose={() => onAnswer("skip", forAll)} title="This name is taken">
      <p>{conflict.sentence}</p>
      <dl className={styles.compared}>
        <ComparedEntry title="Existing" entry={conflict.existing} />
        <ComparedEntry title="New" entry={conflict.incoming} />
      </dl>
      {raised + waiting > 1 && (
        <Checkbox
          size="md"
          label={forAllInWords(raised, waiting)}
          checked={forAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      )}
      <Actions>
        <Button onClick={() => onAnswer("keep", forAll)}>Keep both</Button>
        <Button variant="default" onClick={() => onAnswer("replace", forAll)}>
          Replace
        </Button>
        <Button variant="default" onClick={() => onAnswer("skip", forAll)}>
          {skip}
        </Button>
      </Actions>
    </Dialog>
  );
}

function ComparedEntry({ title, entry }: { title: string; entry: Compared | undefined }) {
  if (!entry) return null;
  const { isFolder, size, edited } = entry;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        <span>{isFolder ? "Folder" : readableBytes(size)}</span>
        {edited !== null && (
          <span>
            {", modified "}
            <When at={new Date(edited)} precise />
          </span>
        )}
      </dd>
    </div>
  );
}

function forAllInWords(raised: number, waiting: number): string {
  const count = raised.toLocaleString("en");
  if (waiting === 0) return `Apply to all ${count} conflicts`;
  return raised === 1 ? "Apply to all conflicts" : `Apply to all conflicts, ${count} so far`;
}
