"use client";

import { type MouseEvent, useState } from "react";
import { Notice } from "@/components/feedback/notice";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import type { Search } from "@/lib/files/search";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { ErrorNotice } from "../error-notice";
import { Breadcrumbs, FolderPager, Space } from "./breadcrumbs";
import { CurrentDialog, type OpenDialog } from "./current-dialog";
import type { Entry } from "./entry-list";
import styles from "./files.module.css";
import { FilterField, SortField } from "./filter-field";
import { FolderEntries } from "./folder-entries";
import { importedInWords } from "./import-dialog";
import { SearchResults } from "./search-results";
import { EntryMenu, Toolbar } from "./toolbar";
import { Unfinished } from "./unfinished";
import { droppedIn, type Picked } from "./upload-job";
import { useUploadQueue } from "./upload-status";
import { useChanges } from "./use-changes";
import { focusCursor, isForBrowser, restoreFocus, useNavigation } from "./use-navigation";
import { useDragging, useSelection, useShown } from "./use-selection";
import { hrefOf, inFolder, type View } from "./view";

interface FileManagerProps {
  listing: FolderListing;
  /** The results of a search in all folders; shown instead of the folder's entries. */
  results: Search | null;
  unfinished: UnfinishedUpload[];
  view: View;
  username: string;
  /** This session was opened on another network: what shows a file asks for a proof. */
  isElsewhere: boolean;
}

const NONE: FolderListing["entries"] = [];

/** A folder of the user's files, with all actions on its entries. */
export function FileManager({ listing, results, unfinished, view, username, isElsewhere }: FileManagerProps) {
  const { folder, breadcrumbs, used, quota, formerBytes } = listing;
  const entries = results ? NONE : listing.entries;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; entries: Entry[] } | null>(null);
  const selection = useSelection(entries.map(({ id }) => id));
  const chosen = entries.filter(({ id }) => selection.chosen.includes(id));
  const changes = useChanges(listing, selection.drop);
  const { openFolder, isGoing, go, startAnew } = useNavigation(view, folder.id, () => {
    selection.clear();
    changes.forget();
  });
  useShown(view.show, selection);
  const queue = useUploadQueue();
  const dragging = useDragging({
    onEntries: changes.dropOn,
    onFiles: async (data, target) => upload(await droppedIn(data), target),
  });

  function open(entry: Entry, event?: MouseEvent) {
    if (entry.isFolder) return go(inFolder(view, entry.id), event);
    if (isForBrowser(event)) return;
    event?.preventDefault();
    void preview(entry);
  }

  async function preview(entry: Entry) {
    if (isElsewhere && !(await changes.isProven())) return;
    selection.moveTo(entry.id);
    setDialog({ kind: "preview", entry });
  }

  function upload(picked: Picked, target = openFolder) {
    changes.forget();
    queue.add(picked, target);
  }

  /** Deletes these entries; the keyboard cursor moves to the next one. */
  async function remove(removed: Entry[]) {
    const ids = removed.map(({ id }) => id);
    const after = selection.after(ids);
    if (!(await changes.removeAll(removed))) return;
    selection.moveTo(after);
    restoreFocus();
  }

  function chooseNone() {
    selection.clear();
    restoreFocus();
  }

  /** The user may have to confirm who they are first. */
  async function exportDocument() {
    setDialog(null);
    if (await changes.isProven()) setDialog({ kind: "export" });
  }

  async function download(entries: Entry[]) {
    if (await changes.isProven()) setDialog({ kind: "download", entries });
  }

  function showImported(imported: Imported) {
    setDialog(null);
    startAnew();
    changes.setDone(importedInWords(imported));
  }

  /** A menu on a row that is not selected is about that row alone. */
  const openMenu = (entry: Entry, at: { x: number; y: number }) => {
    selection.moveTo(entry.id);
    setMenu({ ...at, entries: chosen.some(({ id }) => id === entry.id) ? chosen : [entry] });
  };

  const actionsOn = (on: Entry[]) => {
    const [first] = on;
    return {
      open: () => first && open(first),
      rename: () => first && setDialog({ kind: "rename", entry: first }),
      download: () => void download(on),
      move: () => setDialog({ kind: "move", entries: on }),
      remove: () => void remove(on),
      clear: chooseNone,
    };
  };
  const actions = {
    ...actionsOn(chosen),
    newFolder: () => setDialog({ kind: "folder" }),
    upload,
    importDocument: () => setDialog({ kind: "import" }),
    exportDocument,
    showDeleted: () => setDialog({ kind: "deleted" }),
  };

  return (
    <div className={styles.page} {...dragging.dropProps(openFolder, "files")}>
      <div className={styles.head}>
        <h1>Files</h1>
        <Space used={used} quota={quota} formerBytes={formerBytes} />
      </div>
      <Toolbar chosen={chosen} canExport={used.entries > 0} actions={actions} />
      <div className={styles.path}>
        <Breadcrumbs
          key={folder.id}
          folders={breadcrumbs}
          hrefOf={(id) => hrefOf(inFolder(view, id))}
          onOpen={(id, event) => go(inFolder(view, id), event)}
          dropProps={dragging.dropProps}
        />
        {(used.entries > 1 || view.filter !== "") && (
          <div className={styles.finding}>
            <FilterField key={folder.id} applied={view.filter} everywhere={view.everywhere} onFilter={go} />
            {!results && <SortField view={view} onSort={(sort, descending) => go({ sort, descending })} />}
          </div>
        )}
      </div>
      <ErrorNotice error={dialog ? "" : changes.error} />
      <Notice kind="done">{changes.done}</Notice>
      <Unfinished uploads={unfinished} queue={queue} />
      {results ? (
        <SearchResults results={results} view={view} isGoing={isGoing} onGo={go} />
      ) : (
        <>
          <FolderEntries
            listing={listing}
            view={view}
            isGoing={isGoing}
            selection={selection}
            highlighted={(menu?.entries ?? chosen).map(({ id }) => id)}
            dragging={dragging}
            actions={actions}
            onOpen={open}
            onGo={go}
            onMenu={openMenu}
          />
          <FolderPager
            first={listing.first}
            shown={entries.length}
            total={listing.total}
            previous={listing.previous}
            next={listing.next}
            isPartial={listing.isPartial}
            hrefOf={(at) => hrefOf({ ...view, at, show: "" })}
            onGo={(at, event) => go({ at }, event)}
          />
        </>
      )}
      {menu && (
        <EntryMenu
          position={menu}
          chosen={menu.entries}
          actions={actionsOn(menu.entries)}
          onClose={() => {
            focusCursor();
            setMenu(null);
          }}
        />
      )}
      <CurrentDialog
        dialog={dialog}
        listing={listing}
        folderId={openFolder}
        username={username}
        selection={selection}
        changes={changes}
        onPreview={preview}
        onExport={actions.exportDocument}
        onImported={showImported}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}
