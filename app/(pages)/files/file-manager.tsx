"use client";

import { type MouseEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Notice } from "@/components/feedback";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import type { Search } from "@/lib/files/search";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { ErrorNotice } from "../error-notice";
import { CurrentDialog, type OpenDialog } from "./current-dialog";
import type { Entry } from "./entry-list";
import styles from "./files.module.css";
import { Breadcrumbs, FilterField, FolderPager, SortField, Space } from "./finding";
import { FolderEntries } from "./folder-entries";
import { importedInWords } from "./import-dialog";
import { droppedIn, type Picked } from "./picked-files";
import type { Saved } from "./save-dialog";
import { EntryMenu, SelectionActions, Toolbar } from "./toolbar";
import { Interrupted, Unfinished } from "./unfinished";
import { useUploadQueue } from "./upload-status";
import { idsOf, namedOrCounted, useChanges } from "./use-changes";
import {
  focusCursor,
  isForBrowser,
  restoreFocus,
  useDragging,
  useNavigation,
  usePageKeys,
  useSelection,
  useShown,
} from "./use-list";
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

/** A folder of the user's files, with all actions on its entries. */
export function FileManager({ listing, results, unfinished, view, username, isElsewhere }: FileManagerProps) {
  const { folder, breadcrumbs, used, quota } = listing;
  const entries: Entry[] = results?.entries ?? listing.entries;
  const canFilter = used.entries > 1 || view.filter !== "";
  const filterField = useRef<HTMLInputElement>(null);
  const [isFiltering, setFiltering] = useState(view.filter !== "");
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; entries: Entry[] } | null>(null);
  const selection = useSelection(idsOf(entries));
  const chosen = entries.filter(({ id }) => selection.chosen.includes(id));
  const changes = useChanges(listing, entries, selection.drop);
  const [imported, setImported] = useState("");
  const { openFolder, isGoing, go, startAnew } = useNavigation(view, folder.id, () => {
    selection.clear();
    changes.forget();
    setImported("");
  });
  useShown(view.show, selection);
  usePageKeys({ "/": startFiltering, "?": () => setDialog({ kind: "shortcuts" }) });
  const queue = useUploadQueue(username);
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

  /** A field that is hidden cannot get the focus. */
  function startFiltering() {
    flushSync(() => setFiltering(true));
    filterField.current?.select();
  }

  function upload(picked: Picked, target = openFolder) {
    changes.forget();
    queue.add(picked, target);
  }

  /** Deletes these entries; the keyboard cursor moves to the next one. */
  async function remove(removed: Entry[]) {
    const ids = idsOf(removed);
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
  async function save(what: Saved) {
    setDialog(null);
    if (await changes.isProven()) setDialog({ kind: "save", what });
  }

  function exportDocument() {
    const fileName = `${username}-files.json`;
    void save({ title: "Export for programs (JSON)", path: "/files/export", bytes: used.bytes, fileName });
  }

  function download(what: string, ids: string[], name = folder.name) {
    const body = JSON.stringify({ ids });
    void save({ title: `Download ${what}`, path: "/files/archive", body, fileName: `${name}.zip` });
  }

  function showImported(imported: Imported) {
    setDialog(null);
    startAnew();
    setImported(importedInWords(imported));
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
      showInFolder:
        results && first ? () => go({ ...inFolder(view, first.folderId ?? ""), show: first.id }) : undefined,
      rename: () => first && setDialog({ kind: "rename", entry: first }),
      download: () => download(namedOrCounted(on), idsOf(on), on.length === 1 ? first?.name : undefined),
      move: () => setDialog({ kind: "move", entries: on }),
      remove: () => void remove(on),
      clear: chooseNone,
    };
  };

  return (
    <div className={styles.page} {...dragging.dropProps(openFolder, "files")}>
      <div className={styles.head}>
        <h1>Files</h1>
        <Space used={used} quota={quota} />
      </div>
      <Toolbar
        isEmpty={used.entries === 0}
        isFiltering={isFiltering}
        onFiltering={canFilter ? () => (isFiltering ? setFiltering(false) : startFiltering()) : undefined}
        onUpload={upload}
        onDownloadAll={() => download("all (ZIP)", idsOf(breadcrumbs.slice(0, 1)), `${username}-files`)}
        onExport={exportDocument}
        onDialog={(kind) => setDialog({ kind })}
      >
        {canFilter && (
          <>
            <FilterField
              key={folder.id}
              field={filterField}
              applied={view.filter}
              everywhere={view.everywhere}
              onFilter={go}
            />
            {!results && <SortField view={view} onSort={(sort, descending) => go({ sort, descending })} />}
          </>
        )}
      </Toolbar>
      {breadcrumbs.length > 1 && (
        <Breadcrumbs
          key={folder.id}
          folders={breadcrumbs}
          hrefOf={(id) => hrefOf(inFolder(view, id))}
          onOpen={(id, event) => go(inFolder(view, id), event)}
          dropProps={dragging.dropProps}
        />
      )}
      <ErrorNotice error={dialog ? "" : changes.error} />
      <Notice kind="done">{imported}</Notice>
      <Interrupted username={username} queue={queue} />
      <Unfinished uploads={unfinished} queue={queue} />
      <FolderEntries
        entries={entries}
        search={results}
        isRoot={breadcrumbs.length === 1}
        view={view}
        isGoing={isGoing}
        hasThumbnails={!isElsewhere}
        selection={selection}
        highlighted={idsOf(menu?.entries ?? chosen)}
        dragging={dragging}
        actions={actionsOn(chosen)}
        onOpen={open}
        onGo={go}
        onMenu={openMenu}
      />
      {!results && (
        <FolderPager
          listing={listing}
          hrefOf={(at) => hrefOf({ ...view, at, show: "" })}
          onGo={(at, event) => go({ at }, event)}
        />
      )}
      {chosen.length > 0 && <SelectionActions chosen={chosen} actions={actionsOn(chosen)} />}
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
        entries={entries}
        folderId={openFolder}
        selection={selection}
        changes={changes}
        onPreview={preview}
        onExport={exportDocument}
        onImported={showImported}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}
