"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useEffect, useOptimistic, useState, useTransition } from "react";
import { Breadcrumbs } from "@/components/files/breadcrumbs";
import { type Entry, EntryList } from "@/components/files/entry-list";
import { Space } from "@/components/files/space";
import { Pager } from "@/components/pager";
import type { FolderListing } from "@/lib/files/list";
import { type Asked, AskedDialog } from "./asked-dialog";
import { ChangeNotice } from "./change-notice";
import { EntryMenu } from "./entry-menu";
import styles from "./files.module.css";
import { FilterField } from "./filter-field";
import { NothingHere } from "./nothing-here";
import { droppedIn, type Picked } from "./picked-files";
import { onRowKey } from "./row-keys";
import { SortField } from "./sort-field";
import { Toolbar } from "./toolbar";
import { UploadStatus } from "./upload-status";
import { useChanges } from "./use-changes";
import { useDragging } from "./use-dragging";
import { useSelection } from "./use-selection";
import { useUploadQueue } from "./use-upload-queue";
import { ENTRIES_A_PAGE, hrefOf, inFolder, type View } from "./view";

/** A folder of the user's files, and all that can be done with what is in it. */
export function FileManager({ listing, view, username }: { listing: FolderListing; view: View; username: string }) {
  const { folder, breadcrumbs, entries, total, used, quota } = listing;
  const router = useRouter();
  const [isGoing, startGoing] = useTransition();
  // The folder that was opened, also while it is still on its way: what is put somewhere meanwhile goes there.
  const [place, setPlace] = useOptimistic(folder.id);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const selection = useSelection(entries.map(({ id }) => id));
  const chosen = entries.filter(({ id }) => selection.chosen.includes(id));
  const changes = useChanges(selection.clear);
  const queue = useUploadQueue(() => router.refresh());
  const dragging = useDragging({
    onEntries: (ids, target) => void changes.moveTo(ids, target),
    onFiles: async (data, target) => upload(await droppedIn(data), target),
  });

  useEffect(() => {
    // The last entries of the last page were moved or deleted.
    if (entries.length === 0 && view.page > 1) router.replace(hrefOf({ ...view, page: view.page - 1 }));
  }, [entries.length, view, router]);

  function go(change: Partial<View>, event?: MouseEvent) {
    if (isForBrowser(event)) return;
    event?.preventDefault();
    selection.clear();
    changes.forget();
    const address = hrefOf({ ...view, page: 1, ...change });
    startGoing(() => {
      if (change.folder !== undefined) setPlace(change.folder);
      // Going back leads past what was typed as a filter.
      if ("filter" in change && !("folder" in change)) router.replace(address);
      else router.push(address);
    });
  }

  function open(entry: Entry, event?: MouseEvent) {
    if (entry.isFolder) return go(inFolder(view, entry.id), event);
    if (isForBrowser(event)) return;
    event?.preventDefault();
    setAsked({ kind: "look", entry });
  }

  function upload(picked: Picked, target = place) {
    changes.forget();
    queue.add(picked, target);
  }

  /** Deletes what is chosen; the keyboard goes on with what comes after it. */
  async function remove() {
    const after = selection.after(selection.chosen);
    if (!(await changes.removeAll(selection.chosen))) return;
    selection.moveTo(after);
    keepKeyboard();
  }

  function chooseNone() {
    selection.clear();
    keepKeyboard();
  }

  function showImported(count: number) {
    setAsked(null);
    go({ folder: "", filter: "" });
    changes.setDone(`Imported: ${count.toLocaleString("en")} files and folders.`);
    router.refresh();
  }

  const [first] = chosen;
  const actions = {
    open: () => first && open(first),
    rename: () => first && setAsked({ kind: "rename", entry: first }),
    move: () => setAsked({ kind: "move" }),
    remove: () => void remove(),
    clear: chooseNone,
    newFolder: () => setAsked({ kind: "folder" }),
    upload,
    importDocument: () => setAsked({ kind: "import" }),
    exportDocument: () => setAsked({ kind: "export" }),
  };
  const keys = { ...actions, open: (id: string) => entries.filter((entry) => entry.id === id).map((entry) => open(entry)) };

  return (
    <div className={styles.page} {...dragging.dropProps(place, "files")}>
      <div className={styles.head}>
        <h1>Files</h1>
        <Space used={used} quota={quota} />
      </div>
      <Toolbar chosen={chosen} canExport={used.entries > 0} actions={actions} />
      <div className={styles.place}>
        <Breadcrumbs
          places={breadcrumbs}
          hrefOf={(id) => hrefOf(inFolder(view, id))}
          onOpen={(id, event) => go(inFolder(view, id), event)}
          dropProps={dragging.dropProps}
        />
        {(total > 0 || view.filter !== "") && (
          <div className={styles.finding}>
            <FilterField key={folder.id} typed={view.filter} onFilter={(filter) => go({ filter })} />
            <SortField view={view} onSort={(sort, descending) => go({ sort, descending })} />
          </div>
        )}
      </div>
      <ChangeNotice changes={changes} isHidden={asked !== null} />
      <div aria-busy={isGoing} className={styles.entries}>
        {entries.length > 0 ? (
          <EntryList
            entries={entries}
            chosen={selection.chosen}
            cursor={selection.cursor}
            over={dragging.over}
            sort={view.sort}
            descending={view.descending}
            onSort={(sort, descending) => go({ sort, descending })}
            onChooseAll={(all) => (all ? selection.chooseAll() : selection.clear())}
            onKeyDown={(event) => onRowKey(event, selection, keys)}
            handlers={{
              hrefOf: ({ id, isFolder }) => (isFolder ? hrefOf(inFolder(view, id)) : `/files/content?id=${id}`),
              onOpen: open,
              onChoose: ({ id }, choice) => selection.choose(id, choice),
              onMenu: ({ id }, place) => {
                if (!selection.chosen.includes(id)) selection.choose(id, "only");
                setMenu(place);
              },
              onDragStart: ({ id }, event) => dragging.startDragging(selection.chosen.includes(id) ? selection.chosen : [id], event),
              onDragOver: ({ id, isFolder }, event) => isFolder && dragging.dropProps(id).onDragOver(event),
              onDrop: ({ id, isFolder }, event) => isFolder && dragging.dropProps(id).onDrop(event),
            }}
          />
        ) : (
          <NothingHere filter={view.filter} isRoot={breadcrumbs.length === 1} onShowAll={() => go({ filter: "" })} />
        )}
      </div>
      <Pager
        of="the folder"
        page={view.page}
        size={ENTRIES_A_PAGE}
        total={total}
        hrefOf={(page) => hrefOf({ ...view, page })}
        onGo={(page, event) => go({ page }, event)}
      />
      <UploadStatus queue={queue} />
      {menu && (
        <EntryMenu
          place={menu}
          chosen={chosen}
          actions={actions}
          onClose={() => {
            focusCursor();
            setMenu(null);
          }}
        />
      )}
      <AskedDialog
        asked={asked}
        listing={listing}
        place={place}
        username={username}
        chosen={chosen}
        selection={selection}
        changes={changes}
        onExport={actions.exportDocument}
        onImported={showImported}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}

/** A click that is to open another tab or window. */
function isForBrowser(event?: MouseEvent): boolean {
  return event !== undefined && (event.ctrlKey || event.metaKey || event.shiftKey);
}

/** The keyboard goes on in the list, where what it was on goes away. */
function keepKeyboard() {
  setTimeout(() => document.activeElement === document.body && focusCursor());
}

/** Gives the focus to the row that the keyboard is at. */
function focusCursor() {
  document.querySelector<HTMLElement>("[role=grid] tbody [tabindex='0']")?.focus();
}
