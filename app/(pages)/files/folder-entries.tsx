import { type KeyboardEvent, type MouseEvent, useEffect } from "react";
import { Button } from "@/components/buttons";
import { Actions, EmptyState } from "@/components/page";
import { isMeant, watchRest } from "@/components/steady-button";
import type { Search } from "@/lib/files/search";
import { counted } from "@/lib/platform/bounds";
import { type Entry, EntryList } from "./entry-list";
import styles from "./files.module.css";
import type { EntryActions } from "./toolbar";
import type { Dragging, Selection } from "./use-selection";
import { hrefOf, inFolder, type View } from "./view";

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
function onRowKey(event: KeyboardEvent<HTMLElement>, selection: Selection, { open, rename, remove }: RowActions): void {
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
  const isDelete = key === "Delete" || (key === "Backspace" && event.metaKey);
  if (isDelete && selection.chosen.length > 0 && isMeant({ detail: 0 })) return remove;
}

interface FolderEntriesProps {
  entries: Entry[];
  /** The entries are the results of this search in all folders. */
  search: Search | null;
  isRoot: boolean;
  view: View;
  isGoing: boolean;
  /** Pictures are shown small. */
  hasThumbnails: boolean;
  selection: Selection;
  /** The selected rows, or those that the open menu is about. */
  highlighted: string[];
  dragging: Dragging;
  actions: EntryActions;
  onOpen: (entry: Entry, event?: MouseEvent) => void;
  onGo: (change: Partial<View>) => void;
  onMenu: (entry: Entry, position: { x: number; y: number }) => void;
}

/** The entries of the current folder or of a search, with mouse and keyboard actions; or why there are none. */
export function FolderEntries({
  entries,
  search,
  isRoot,
  view,
  isGoing,
  hasThumbnails,
  selection,
  highlighted,
  dragging,
  actions,
  onOpen,
  onGo,
  onMenu,
}: FolderEntriesProps) {
  const rowActions = {
    ...actions,
    open: (id: string) => entries.filter((entry) => entry.id === id).map((entry) => onOpen(entry)),
  };
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
        <EntryList
          entries={entries}
          chosen={highlighted}
          cursor={selection.cursor}
          over={dragging.over}
          sorted={search ? null : view}
          hasThumbnails={hasThumbnails}
          onSort={(sort, descending) => onGo({ sort, descending })}
          onChooseAll={(all) => (all ? selection.chooseAll() : selection.clear())}
          onKeyDown={(event) => onRowKey(event, selection, rowActions)}
          handlers={{
            hrefOf: ({ id, isFolder }) => (isFolder ? hrefOf(inFolder(view, id)) : `/files/content?id=${id}`),
            onOpen,
            onChoose: ({ id }, choice) => selection.choose(id, choice),
            onMenu,
            onDragStart: ({ id }, event) =>
              dragging.startDragging(selection.chosen.includes(id) ? selection.chosen : [id], event),
            onDragOver: ({ id, isFolder }, event) => isFolder && dragging.dropProps(id).onDragOver(event),
            onDrop: ({ id, isFolder }, event) => isFolder && dragging.dropProps(id).onDrop(event),
          }}
        />
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
