import type { KeyboardEvent } from "react";
import type { Selection } from "./use-selection";

/** The keyboard actions of a file manager on the selected rows. */
interface RowActions {
  open: (id: string) => void;
  rename: () => void;
  remove: () => void;
}

const ROWS_A_SCREEN = 10;
const STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: ROWS_A_SCREEN,
  PageUp: -ROWS_A_SCREEN,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Handles a key that was pressed on a row. */
export function onRowKey(
  event: KeyboardEvent<HTMLElement>,
  selection: Selection,
  { open, rename, remove }: RowActions,
): void {
  const act = actionOf(event, selection, { open, rename, remove });
  if (!act) return;
  event.preventDefault();
  act();
}

function actionOf(
  event: KeyboardEvent<HTMLElement>,
  selection: Selection,
  { open, rename, remove }: RowActions,
): (() => void) | undefined {
  const { key, shiftKey, altKey } = event;
  const command = event.ctrlKey || event.metaKey;
  const step = STEPS[key];
  if (step !== undefined && !altKey) {
    const id = selection.further(step);
    if (command && !shiftKey) return () => selection.moveTo(id);
    return () => selection.choose(id, shiftKey ? "extend" : "only");
  }
  // On a button, a checkbox or a link, these keys have their own function.
  const isOnRow = event.target instanceof HTMLElement && event.target.closest("a, button, input") === null;
  if (key === " " && isOnRow) return () => selection.choose(selection.cursor, shiftKey ? "extend" : "toggle");
  if (key === "Enter" && isOnRow) return () => open(selection.cursor);
  if (key === "a" && command) return selection.chooseAll;
  if (key === "Escape" && selection.chosen.length > 0) return selection.clear;
  if (key === "F2" && selection.chosen.length === 1) return rename;
  if ((key === "Delete" || (key === "Backspace" && event.metaKey)) && selection.chosen.length > 0) return remove;
}
