"use client";

import type { Entry } from "@/components/files/entry-list";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import { newFolder, rename } from "./actions";
import { ConflictDialog } from "./conflict-dialog";
import { ExportDialog } from "./export-dialog";
import { ImportDialog } from "./import-dialog";
import { MoveDialog } from "./move-dialog";
import { NameDialog } from "./name-dialog";
import { PreviewDialog } from "./preview-dialog";
import { type Changes, counted } from "./use-changes";
import type { Selection } from "./use-selection";

/** What the person is asked, or looks at. */
export type Asked = { kind: "folder" | "move" | "import" | "export" } | { kind: "rename" | "look"; entry: Entry };

interface AskedDialogProps {
  asked: Asked | null;
  listing: FolderListing;
  /** The folder in which what is made is put. */
  place: string;
  username: string;
  chosen: Entry[];
  selection: Selection;
  changes: Changes;
  onExport: () => void;
  onImported: (imported: Imported) => void;
  onClose: () => void;
}

/** The dialog that is open, if one is. */
export function AskedDialog({ asked, listing, place, username, chosen, selection, changes, onExport, onImported, onClose }: AskedDialogProps) {
  const { folder, breadcrumbs, used } = listing;

  async function makeFolder(name: string) {
    const made = await newFolder(place, name);
    if (!("error" in made)) selection.moveTo(made.ok.id);
    return made;
  }

  async function moveTo(target: string) {
    if (await changes.moveTo(selection.chosen, target)) onClose();
  }

  if (changes.moving) return <ConflictDialog conflict={changes.moving.conflict} waiting={0} skip="Do not move" onAnswer={changes.answerMove} />;
  switch (asked?.kind) {
    case "folder":
      return <NameDialog title="New folder" button="Make the folder" name="" action={makeFolder} onClose={onClose} />;
    case "rename":
      return <NameDialog title="Rename" button="Rename" name={asked.entry.name} action={(name) => rename(asked.entry.id, name)} onClose={onClose} />;
    case "move": {
      const what = chosen.length === 1 ? (chosen[0]?.name ?? "") : counted(chosen.length);
      const from = breadcrumbs.length === 1 ? "" : folder.id;
      return <MoveDialog ids={selection.chosen} what={what} from={from} busy={changes.busy} error={changes.error} onMove={moveTo} onClose={onClose} />;
    }
    case "look":
      return <PreviewDialog entry={asked.entry} onClose={onClose} />;
    case "import":
      return <ImportDialog used={used} onExport={onExport} onImported={onImported} onClose={onClose} />;
    case "export":
      return <ExportDialog bytes={used.bytes} fileName={`${username}-files.json`} onClose={onClose} />;
    default:
      return null;
  }
}
