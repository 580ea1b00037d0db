import { type KeyboardEvent, useEffect } from "react";
import { Button } from "@/components/buttons";
import { Actions, EmptyState } from "@/components/page";
import { isMeant, watchRest } from "@/components/steady-button";
import type { Search } from "@/lib/files/search";
import { counted } from "@/lib/platform/bounds";
import { EntryList, type EntryListProps } from "./entry-list";
import styles from "./files.module.css";
import type { EntryActions } from "./toolbar";
import type { Selection } from "./use-list";

/** The keyboard actions of a file manager on the selected rows. */
interface RowActions {
  open: () => void;
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

/** What a key does that was pressed on a row. */
function actionOf(
  event: KeyboardEvent,
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
  if (key === "Enter" && isOnRow) return open;
  if (key === "a" && command) return selection.chooseAll;
  if (key === "Escape" && selection.chosen.length > 0) return selection.clear;
  if (key === "F2" && selection.chosen.length === 1) return rename;
  const isDelete = key === "Delete" || (key === "Backspace" && event.metaKey);
  if (isDelete && selection.chosen.length > 0 && isMeant({ detail: 0 })) return remove;
}

interface FolderEntriesProps extends EntryListProps {
  isRoot: boolean;
  isGoing: boolean;
  actions: EntryActions;
}

/** The entries of the current folder or of a search, with mouse and keyboard actions; or why there are none. */
export function FolderEntries({ isRoot, isGoing, actions, ...list }: FolderEntriesProps) {
  const { entries, search, view, selection, onOpen, onGo } = list;

  function open() {
    const entry = entries.find(({ id }) => id === selection.cursor);
    if (entry) onOpen(entry);
  }

  function press(event: KeyboardEvent) {
    const act = actionOf(event, selection, { ...actions, open });
    if (!act) return;
    event.preventDefault();
    act();
  }

  // For the Delete key.
  useEffect(() => watchRest(() => {}), []);
  return (
    <div aria-busy={isGoing} className={styles.entries}>
      {search && (
        <p role="status" className={styles.summary}>
          {inWords(search)}
        </p>
      )}
      {entries.length > 0 ? (
        <EntryList {...list} onKeyDown={press} />
      ) : isGoing ? (
        <p role="status">Loading…</p>
      ) : (
        // A search that has not reached the end says so above.
        !search?.searched && (
          <NothingHere
            filter={view.filter}
            isRoot={isRoot}
            onShowAll={() => onGo({ filter: "", everywhere: false })}
            onSearchAll={search ? undefined : () => onGo({ everywhere: true })}
          />
        )
      )}
    </div>
  );
}

function inWords({ entries, hasMore, searched }: Search): string {
  if (hasMore) return `More than ${entries.length} matches. Type more of the name to see fewer.`;
  const matches = counted(entries.length, "match", "matches");
  if (searched === null) return entries.length > 0 ? matches : "";
  const first = `${matches} among the first ${searched.toLocaleString("en")} files and folders.`;
  return `${first} Open a folder to search the rest.`;
}

interface NothingHereProps {
  filter: string;
  isRoot: boolean;
  onShowAll: () => void;
  /** Undefined if all folders were searched. */
  onSearchAll?: () => void;
}

/** The text of an empty list: no match, or nothing is there. */
function NothingHere({ filter, isRoot, onShowAll, onSearchAll }: NothingHereProps) {
  if (filter !== "") {
    return (
      <EmptyState title={`No matches for “${filter}” in ${onSearchAll ? "this folder" : "any folder"}`}>
        <Actions>
          {onSearchAll && (
            <Button size="sm" onClick={onSearchAll}>
              Search all folders
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onShowAll}>
            Clear filter
          </Button>
        </Actions>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isRoot ? "No files yet" : "This folder is empty"}>
      <p>
        Drop files or folders anywhere on this page, or select Add.
        {isRoot && <span> Linked programs can read all of them in one request.</span>}
      </p>
    </EmptyState>
  );
}
