import { useState } from "react";
import { useToast } from "@/components/toast";
import type { FolderListing } from "@/lib/files/list";
import type { OnExisting } from "@/lib/files/schema";
import { prove } from "../_signing-in/identity-actions";
import { useAction, useUndo } from "../use-action";
import { move, remove, restore, undoMove } from "./actions";
import type { Entry } from "./entry-list";
import type { Conflict, ConflictAnswer } from "./upload-job";

/** A folder that something can be moved into, in the path or in the tree. */
export interface Target {
  id: string;
  name: string;
}

interface Moving {
  ids: string[];
  target: Target;
  conflict: Conflict;
}

/**
 * Moves and deletes entries of the folder that is shown, and undoes both. `onDone` is called with the ids of the
 * entries that have left it.
 */
export function useChanges({ folder, breadcrumbs }: FolderListing, entries: Entry[], onDone: (ids: string[]) => void) {
  const { run, busy, error, clear } = useAction();
  const [moving, setMoving] = useState<Moving | null>(null);
  const toast = useToast();
  const offerUndo = useUndo();

  /** Returns whether the move is done, or only waits for the answer to the question in `moving`. */
  async function moveTo(ids: string[], target: Target, onExisting: OnExisting = "refuse"): Promise<boolean> {
    setMoving(null);
    const shown = entries.filter(({ id }) => ids.includes(id));
    const result = await run(move, { entries: ids, folderId: target.id, onExisting });
    if (!result) return false;
    if ("conflict" in result.ok) {
      const { name, sentence, existing } = result.ok.conflict;
      setMoving({
        ids,
        target,
        conflict: { sentence, existing, incoming: shown.find((entry) => entry.name === name) },
      });
      return true;
    }
    const { moved } = result.ok;
    const [from, ...others] = new Set(shown.map(({ folderId = folder.id }) => folderId));
    // Entries dragged here from another window come from a folder that this one does not know. Results of a search may
    // come from several.
    if (shown.length < ids.length || from === undefined || others.length > 0)
      toast({ text: `Moved to ${target.name}.` });
    else
      offerUndo(
        `${namedOrCounted(shown)} moved to ${target.name}.`,
        () => undoMove({ ...moved, from }),
        `${namedOrCounted(shown)} moved back.`,
      );
    onDone(ids);
    return true;
  }

  /** Moves entries into a folder that is shown: one of the list, or one above it. */
  function dropOn(ids: string[], folderId: string) {
    const name =
      entries.find(({ id }) => id === folderId)?.name ??
      breadcrumbs.slice(1).find(({ id }) => id === folderId)?.name ??
      "All files";
    void moveTo(ids, { id: folderId, name });
  }

  function resolveMove(answer: ConflictAnswer) {
    if (moving && answer !== "skip") void moveTo(moving.ids, moving.target, answer);
    else setMoving(null);
  }

  async function removeAll(removed: Entry[]): Promise<boolean> {
    const ids = idsOf(removed);
    const result = await run(remove, ids);
    if (!result) return false;
    offerUndo(`${namedOrCounted(removed)} deleted.`, () => restore(result.ok), `${namedOrCounted(removed)} restored.`);
    onDone(ids);
    return true;
  }

  /** Whether the user has proved who they are, or does so now. */
  const isProven = async () => (await run(prove)) !== null;

  return {
    busy,
    error,
    forget: clear,
    moveTo,
    dropOn,
    moving,
    answerMove: resolveMove,
    removeAll,
    isProven,
  };
}

/** The name of a single entry, or how many there are. */
export function namedOrCounted(entries: Entry[]): string {
  const [one] = entries;
  return one && entries.length === 1 ? one.name : `${entries.length.toLocaleString("en")} items`;
}

export const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

export type Changes = ReturnType<typeof useChanges>;
