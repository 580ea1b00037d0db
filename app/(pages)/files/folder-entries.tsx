import type { MouseEvent } from "react";
import { type Entry, EntryList } from "@/components/files/entry-list";
import type { FolderListing } from "@/lib/files/list";
import styles from "./files.module.css";
import { NothingHere } from "./nothing-here";
import { onRowKey } from "./row-keys";
import type { EntryActions } from "./toolbar";
import type { Dragging } from "./use-dragging";
import type { Selection } from "./use-selection";
import { hrefOf, inFolder, type View } from "./view";

interface FolderEntriesProps {
  listing: FolderListing;
  view: View;
  isGoing: boolean;
  selection: Selection;
  /** The selected rows, or those that the open menu is about. */
  marked: string[];
  dragging: Dragging;
  actions: EntryActions;
  onOpen: (entry: Entry, event?: MouseEvent) => void;
  onGo: (change: Partial<View>) => void;
  onMenu: (entry: Entry, place: { x: number; y: number }) => void;
}

/** The entries of the current folder, with mouse and keyboard actions; or why there are none. */
export function FolderEntries({
  listing,
  view,
  isGoing,
  selection,
  marked,
  dragging,
  actions,
  onOpen,
  onGo,
  onMenu,
}: FolderEntriesProps) {
  const { breadcrumbs, entries } = listing;
  const keys = {
    ...actions,
    open: (id: string) => entries.filter((entry) => entry.id === id).map((entry) => onOpen(entry)),
  };
  return (
    <div aria-busy={isGoing} className={styles.entries}>
      {entries.length > 0 ? (
        <EntryList
          entries={entries}
          chosen={marked}
          cursor={selection.cursor}
          over={dragging.over}
          sort={view.sort}
          descending={view.descending}
          onSort={(sort, descending) => onGo({ sort, descending })}
          onChooseAll={(all) => (all ? selection.chooseAll() : selection.clear())}
          onKeyDown={(event) => onRowKey(event, selection, keys)}
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
        <NothingHere
          filter={view.filter}
          isRoot={breadcrumbs.length === 1}
          onShowAll={() => onGo({ filter: "" })}
          onSearchAll={() => onGo({ everywhere: true })}
        />
      )}
    </div>
  );
}
