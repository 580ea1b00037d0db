"use client";

import { type MouseEvent, useState } from "react";
import { Notice } from "@/components/feedback/notice";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import type { Search } from "@/lib/files/search";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { ErrorNotice } from "../error-notice";
import { AskedDialog, type OpenDialog } from "./asked-dialog";
import { Breadcrumbs, FolderPager, Space } from "./breadcrumbs";
import type { Entry } from "./entry-list";
import styles from "./files.module.css";
import { FilterField, SortField } from "./filter-field";
import { FolderEntries } from "./folder-entries";
import { FoundEntries } from "./found-entries";
import { importedInWords } from "./import-dialog";
import { EntryMenu, Toolbar } from "./toolbar";
import { Unfinished } from "./unfinished";
import { droppedIn, type Picked } from "./upload-job";
import { useUploadQueue } from "./upload-status";
import { useChanges } from "./use-changes";
import { focusCursor, isForBrowser, keepKeyboard, usePlace } from "./use-place";
import { useDragging, useSelection, useShown } from "./use-selection";
import { hrefOf, inFolder, type View } from "./view";

interface FileManagerProps {
  listing: FolderListing;
  /** What a search in all folders found; it is shown in place of the folder's entries. */
  found: Search | null;
  unfinished: UnfinishedUpload[];
  view: View;
  username: string;
  /** This session was opened on another network: what shows a file asks for a proof. */
  isElsewhere: boolean;
}

const NONE: FolderListing["entries"] = [];

/** A folder of the user's files, with all actions on its entries. */
export function FileManager({ listing, found, unfinished, view, username, isElsewhere }: FileManagerProps) {
  const { folder, breadcrumbs, used, quota, formerBytes } = listing;
  const entries = found ? NONE : listing.entries;
  const [asked, setAsked] = useState<OpenDialog | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number; entries: Entry[] } | null>(null);
  const selection = useSelection(entries.map(({ id }) => id));
  const chosen = entries.filter(({ id }) => selection.chosen.includes(id));
  const changes = useChanges(listing, selection.drop);
  const { place, isGoing, go, startAnew } = usePlace(view, folder.id, () => {
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
    void look(entry);
  }

  async function look(entry: Entry) {
    if (isElsewhere && !(await changes.isProven())) return;
    selection.moveTo(entry.id);
    setAsked({ kind: "look", entry });
  }

  function upload(picked: Picked, target = place) {
    changes.forget();
    queue.add(picked, target);
  }

  /** Deletes these entries; the keyboard cursor moves to the next one. */
  async function remove(gone: Entry[]) {
    const ids = gone.map(({ id }) => id);
    const after = selection.after(ids);
    if (!(await changes.removeAll(gone))) return;
    selection.moveTo(after);
    keepKeyboard();
  }

  function chooseNone() {
    selection.clear();
    keepKeyboard();
  }

  /** The user may have to confirm who they are first. */
  async function exportDocument() {
    setAsked(null);
    if (await changes.isProven()) setAsked({ kind: "export" });
  }

  async function download(entries: Entry[]) {
    if (await changes.isProven()) setAsked({ kind: "download", entries });
  }

  function showImported(imported: Imported) {
    setAsked(null);
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
      rename: () => first && setAsked({ kind: "rename", entry: first }),
      download: () => void download(on),
      move: () => setAsked({ kind: "move", entries: on }),
      remove: () => void remove(on),
      clear: chooseNone,
    };
  };
  const actions = {
    ...actionsOn(chosen),
    newFolder: () => setAsked({ kind: "folder" }),
    upload,
    importDocument: () => setAsked({ kind: "import" }),
    exportDocument,
    showDeleted: () => setAsked({ kind: "deleted" }),
  };

  return (
    <div className={styles.page} {...dragging.dropProps(place, "files")}>
      <div className={styles.head}>
        <h1>Files</h1>
        <Space used={used} quota={quota} kept={formerBytes} />
      </div>
      <Toolbar chosen={chosen} canExport={used.entries > 0} actions={actions} />
      <div className={styles.place}>
        <Breadcrumbs
          key={folder.id}
          places={breadcrumbs}
          hrefOf={(id) => hrefOf(inFolder(view, id))}
          onOpen={(id, event) => go(inFolder(view, id), event)}
          dropProps={dragging.dropProps}
        />
        {(used.entries > 1 || view.filter !== "") && (
          <div className={styles.finding}>
            <FilterField key={folder.id} typed={view.filter} everywhere={view.everywhere} onFilter={go} />
            {!found && <SortField view={view} onSort={(sort, descending) => go({ sort, descending })} />}
          </div>
        )}
      </div>
      <ErrorNotice error={asked ? "" : changes.error} />
      <Notice kind="done">{changes.done}</Notice>
      <Unfinished uploads={unfinished} queue={queue} />
      {found ? (
        <FoundEntries found={found} view={view} isGoing={isGoing} onGo={go} />
      ) : (
        <>
          <FolderEntries
            listing={listing}
            view={view}
            isGoing={isGoing}
            selection={selection}
            marked={(menu?.entries ?? chosen).map(({ id }) => id)}
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
          place={menu}
          chosen={menu.entries}
          actions={actionsOn(menu.entries)}
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
        selection={selection}
        changes={changes}
        onLook={look}
        onExport={actions.exportDocument}
        onImported={showImported}
        onClose={() => setAsked(null)}
      />
    </div>
  );
}
