"use client";

import { useRouter } from "next/navigation";
import { type MouseEvent, useState } from "react";
import { Breadcrumbs } from "@/components/files/breadcrumbs";
import type { Entry } from "@/components/files/entry-list";
import { FolderPager } from "@/components/files/folder-pager";
import { Space } from "@/components/files/space";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import { type Asked, AskedDialog } from "./asked-dialog";
import { ChangeNotice } from "./change-notice";
import { focusCursor, keepKeyboard } from "./cursor";
import { EntryMenu } from "./entry-menu";
import styles from "./files.module.css";
import { FilterField } from "./filter-field";
import { FolderEntries } from "./folder-entries";
import { importedInWords } from "./imported-in-words";
import { droppedIn, type Picked } from "./picked-files";
import { SortField } from "./sort-field";
import { Toolbar } from "./toolbar";
import { UploadStatus } from "./upload-status";
import { useChanges } from "./use-changes";
import { useDragging } from "./use-dragging";
import { isForBrowser, usePlace } from "./use-place";
import { useSelection } from "./use-selection";
import { useUploadQueue } from "./use-upload-queue";
import { hrefOf, inFolder, type View } from "./view";

/** A folder of the user's files, and all that can be done with what is in it. */
export function FileManager({ listing, view, username }: { listing: FolderListing; view: View; username: string }) {
  const { folder, breadcrumbs, entries, used, quota, kept } = listing;
  const router = useRouter();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [menu, setMenu] = useState<{ x: number; y: number } | null>(null);
  const selection = useSelection(entries.map(({ id }) => id));
  const chosen = entries.filter(({ id }) => selection.chosen.includes(id));
  const changes = useChanges(selection.clear);
  const { place, isGoing, go, startAnew } = usePlace(view, folder.id, () => {
    selection.clear();
    changes.forget();
  });
  const queue = useUploadQueue(() => router.refresh());
  const dragging = useDragging({
    onEntries: (ids, target) => void changes.moveTo(ids, target),
    onFiles: async (data, target) => upload(await droppedIn(data), target),
  });

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

  function showImported(imported: Imported) {
    setAsked(null);
    startAnew();
    changes.setDone(importedInWords(imported));
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

  return (
    <div className={styles.page} {...dragging.dropProps(place, "files")}>
      <div className={styles.head}>
        <h1>Files</h1>
        <Space used={used} quota={quota} kept={kept} />
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
        {(entries.length > 0 || view.filter !== "") && (
          <div className={styles.finding}>
            <FilterField key={folder.id} typed={view.filter} onFilter={(filter) => go({ filter })} />
            <SortField view={view} onSort={(sort, descending) => go({ sort, descending })} />
          </div>
        )}
      </div>
      <ChangeNotice changes={changes} isHidden={asked !== null} />
      <FolderEntries
        listing={listing}
        view={view}
        isGoing={isGoing}
        selection={selection}
        dragging={dragging}
        actions={actions}
        onOpen={open}
        onGo={go}
        onMenu={setMenu}
      />
      <FolderPager
        first={listing.first}
        shown={entries.length}
        total={listing.total}
        previous={listing.previous}
        next={listing.next}
        isPartial={listing.isPartial}
        hrefOf={(at) => hrefOf({ ...view, at })}
        onGo={(at, event) => go({ at }, event)}
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
