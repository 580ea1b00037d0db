"use client";

import { Button, Checkbox } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/panel";
import type { Answer } from "./upload-queue";

interface ConflictDialogProps {
  /** What stands in the way, in a sentence. */
  conflict: string;
  /** How many more may meet the same question. */
  waiting: number;
  /** What leaving things as they are is called. */
  skip: string;
  onAnswer: (answer: Answer, forAll: boolean) => void;
}

/** Asks what to do with something whose name exists. Escape leaves things as they are. */
export function ConflictDialog({ conflict, waiting, skip, onAnswer }: ConflictDialogProps) {
  const [forAll, setForAll] = useState(false);
  return (
    <Dialog opened onClose={() => onAnswer("skip", forAll)} title="This name exists">
      <p>{conflict}</p>
      {waiting > 0 && (
        <Checkbox size="md" label="Do the same with all that follow" checked={forAll} onChange={(event) => setForAll(event.currentTarget.checked)} />
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
