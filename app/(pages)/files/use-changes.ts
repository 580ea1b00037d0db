import { useState } from "react";
import { useAction } from "../use-action";
import { type Deletion, move, remove, restore } from "./actions";
import type { OnExisting } from "./send-file";
import type { Answer } from "./upload-queue";

interface Moving {
  ids: string[];
  target: string;
  /** Why it did not go without asking. */
  conflict: string;
}

/** Moving and deleting what is chosen, and taking a deletion back. `onDone` is called when what was chosen is gone from here. */
export function useChanges(onDone: () => void) {
  const { run, busy, error, setError, done, setDone } = useAction();
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [moving, setMoving] = useState<Moving | null>(null);

  function forget() {
    setError("");
    setDone("");
    setDeletion(null);
  }

  /** Whether nothing is left to do about it but to answer what `moving` asks. */
  async function moveTo(ids: string[], target: string, onExisting: OnExisting = "refuse"): Promise<boolean> {
    setDeletion(null);
    setMoving(null);
    const answer = await run(() => move(ids, target, onExisting));
    if (!answer) return false;
    if (answer.ok.conflict) setMoving({ ids, target, conflict: answer.ok.conflict });
    else {
      setDone(`${counted(ids.length)} moved.`);
      onDone();
    }
    return true;
  }

  function answerMove(answer: Answer) {
    setMoving(null);
    if (moving && answer !== "skip") void moveTo(moving.ids, moving.target, answer);
  }

  async function removeAll(ids: string[]): Promise<boolean> {
    setDeletion(null);
    const answer = await run(() => remove(ids));
    if (!answer) return false;
    setDeletion(answer.ok);
    setDone(`${counted(ids.length)} deleted.`);
    onDone();
    return true;
  }

  async function undo() {
    if (deletion && (await run(() => restore(deletion)))) {
      setDeletion(null);
      setDone(`${counted(deletion.ids.length)} brought back.`);
    }
  }

  return { busy, error, done, setDone, forget, moveTo, moving, answerMove, removeAll, undo: deletion && undo };
}

/** So many files or folders, in words. */
export function counted(entries: number): string {
  return entries === 1 ? "1 item" : `${entries.toLocaleString("en")} items`;
}

export type Changes = ReturnType<typeof useChanges>;
