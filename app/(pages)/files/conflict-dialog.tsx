"use client";

import { useState } from "react";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { Fact, Facts } from "@/components/content";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import { readableBytes } from "@/components/words";
import { ErrorNotice } from "../error-notice";
import type { Compared, Conflict, ConflictAnswer } from "./upload-job";

interface ConflictDialogProps {
  conflict: Conflict;
  /** How many of these questions there are so far, with this one; and how many more may raise one. */
  raised?: number;
  waiting?: number;
  /** What can be done, in the order of the buttons: first what is right for most. */
  answers: readonly (readonly [ConflictAnswer, string])[];
  onAnswer: (answer: ConflictAnswer, forAll: boolean) => void;
  /** Why the last answer did not count. */
  error?: string;
}

/**
 * Asks what to do about a name that exists, and shows size and date of both. Escape leaves things as they are. Of
 * several, one answer is for all unless the user says otherwise.
 */
export function ConflictDialog(props: ConflictDialogProps) {
  const { conflict, raised = 1, waiting = 0, answers, onAnswer, error = "" } = props;
  const isOfSeveral = raised + waiting > 1;
  const [isForAll, setForAll] = useState(isOfSeveral);
  const forAll = isForAll && isOfSeveral;
  return (
    <Dialog onClose={() => onAnswer("skip", forAll)} title="This name is taken">
      <p>{conflict.sentence}</p>
      <Facts>
        <ComparedEntry title="Existing" entry={conflict.existing} />
        <ComparedEntry title="New" entry={conflict.incoming} />
      </Facts>
      {isOfSeveral && (
        <Checkbox
          size="md"
          label={forAllInWords(raised, waiting)}
          checked={forAll}
          onChange={(event) => setForAll(event.currentTarget.checked)}
        />
      )}
      <ErrorNotice error={error} />
      <Actions>
        {answers.map(([answer, label], index) => {
          const Choice = answer === "replace" ? SteadyButton : Button;
          return (
            <Choice key={answer} variant={index > 0 ? "default" : "filled"} onClick={() => onAnswer(answer, forAll)}>
              {label}
            </Choice>
          );
        })}
      </Actions>
    </Dialog>
  );
}

function ComparedEntry({ title, entry }: { title: string; entry: Compared | undefined }) {
  if (!entry) return null;
  const { isFolder, size, edited } = entry;
  return (
    <Fact name={title}>
      <span>{isFolder ? "Folder" : readableBytes(size)}</span>
      {edited !== null && (
        <span>
          {", modified "}
          <When at={new Date(edited)} precise />
        </span>
      )}
    </Fact>
  );
}

function forAllInWords(raised: number, waiting: number): string {
  const count = raised.toLocaleString("en");
  if (waiting === 0) return `Apply to all ${count} conflicts`;
  return raised === 1 ? "Apply to all conflicts" : `Apply to all conflicts, ${count} so far`;
}
