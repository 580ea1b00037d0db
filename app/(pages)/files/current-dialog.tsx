"use client";

import { useEffect, useRef } from "react";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { TextInput } from "@/components/form";
import { Actions } from "@/components/page";
import type { Imported } from "@/lib/files/import";
import type { FolderListing } from "@/lib/files/list";
import type { Outcome } from "../action";
import { ActionDialog } from "../action-dialog";
import { newFolder, rename } from "./actions";
import { ConflictDialog } from "./conflict-dialog";
import { DeletedDialog } from "./deleted-dialog";
import styles from "./dialogs.module.css";
import type { Entry } from "./entry-list";
import { ImportDialog } from "./import-dialog";
import { MoveDialog } from "./move-dialog";
import { PreviewDialog } from "./preview-dialog";
import { SaveDialog, type Saved } from "./save-dialog";
import { type Changes, idsOf, namedOrCounted, type Target } from "./use-changes";
import type { Selection } from "./use-list";

interface NameDialogProps {
  title: string;
  button: string;
  /** The initial text of the field; for a file's name, the part before its extension is selected. */
  name: string;
  /** Gets the name from the field. */
  action: (name: string) => Promise<Outcome<unknown>>;
  onClose: () => void;
}

/** Asks for the name of a file or folder. */
function NameDialog({ button, name, action, ...dialog }: NameDialogProps) {
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.setSelectionRange(0, endOfStem(name)), [name]);

  const give = async (entered: string) => (entered === name ? { ok: undefined } : action(entered));
  return (
    <ActionDialog submit={button} as={Button} action={give} input={(text) => text("name")} {...dialog}>
      <TextInput
        label="Name"
        name="name"
        required
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        defaultValue={name}
        ref={field}
      />
    </ActionDialog>
  );
}

function endOfStem(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}

/** The open dialog: a question, or a preview. */
export type OpenDialog =
  | { kind: "folder" | "import" | "deleted" | "shortcuts" }
  | { kind: "rename" | "preview"; entry: Entry }
  | { kind: "move"; entries: Entry[] }
  | { kind: "save"; what: Saved };

interface CurrentDialogProps {
  dialog: OpenDialog | null;
  listing: FolderListing;
  /** Those that are shown: of the folder, or of a search. */
  entries: Entry[];
  /** The folder for new entries. */
  folderId: string;
  selection: Selection;
  changes: Changes;
  onPreview: (entry: Entry) => void;
  onExport: () => void;
  onImported: (imported: Imported) => void;
  onClose: () => void;
}

const MOVE_ANSWERS = [
  ["keep", "Keep both"],
  ["replace", "Replace"],
  ["skip", "Don't move"],
] as const;

/** The dialog that is open, if one is. */
export function CurrentDialog({
  dialog,
  listing,
  entries,
  folderId,
  selection,
  changes,
  onPreview,
  onExport,
  onImported,
  onClose,
}: CurrentDialogProps) {
  const { folder, breadcrumbs, used } = listing;

  async function makeFolder(name: string) {
    const created = await newFolder({ parentId: folderId, name });
    if (!("error" in created)) selection.moveTo(created.ok.id);
    return created;
  }

  async function moveTo(entries: Entry[], target: Target) {
    if (await changes.moveTo(idsOf(entries), target)) onClose();
  }

  if (changes.moving)
    return <ConflictDialog conflict={changes.moving.conflict} answers={MOVE_ANSWERS} onAnswer={changes.answerMove} />;
  switch (dialog?.kind) {
    case "folder":
      return <NameDialog title="New folder" button="Create folder" name="" action={makeFolder} onClose={onClose} />;
    case "rename":
      return (
        <NameDialog
          title="Rename"
          button="Rename"
          name={dialog.entry.name}
          action={(name) => rename({ id: dialog.entry.id, name })}
          onClose={onClose}
        />
      );
    case "move":
      return (
        <MoveDialog
          ids={idsOf(dialog.entries)}
          what={namedOrCounted(dialog.entries)}
          from={dialog.entries.some(isResult) ? null : breadcrumbs.length === 1 ? "" : folder.id}
          busy={changes.busy}
          error={changes.error}
          onMove={(target) => moveTo(dialog.entries, target)}
          onClose={onClose}
        />
      );
    case "preview":
      return (
        <PreviewDialog
          entry={dialog.entry}
          files={entries.filter(({ isFolder }) => !isFolder)}
          onPreview={onPreview}
          onClose={onClose}
        />
      );
    case "import":
      return <ImportDialog used={used} onExport={onExport} onImported={onImported} onClose={onClose} />;
    case "save":
      return <SaveDialog {...dialog.what} onClose={onClose} />;
    case "shortcuts":
      return <ShortcutsDialog onClose={onClose} />;
    case "deleted":
      return <DeletedDialog onClose={onClose} />;
    default:
      return null;
  }
}

const isResult = ({ folderId }: Entry) => folderId !== undefined;

const SHORTCUTS: { where: string; keys: [keys: string[], does: string][] }[] = [
  {
    where: "On this page",
    keys: [
      [["/"], "Filter by name"],
      [["?"], "Show these shortcuts"],
    ],
  },
  {
    where: "In the list",
    keys: [
      [["↑", "↓", "Page Up", "Page Down", "Home", "End"], "Select another row"],
      [["Shift"], "With these: select all rows on the way"],
      [["Ctrl", "⌘"], "With these: move without selecting"],
      [["Space"], "Select or clear a row"],
      [["Ctrl A", "⌘ A"], "Select all on this page"],
      [["Esc"], "Clear the selection"],
      [["Enter"], "Open"],
      [["F2"], "Rename"],
      [["Delete", "⌘ ⌫"], "Delete"],
      [["Shift F10", "Menu"], "Show more actions"],
    ],
  },
  { where: "In a preview", keys: [[["←", "→"], "Previous or next file"]] },
];

/** What the keyboard does on the page of files. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {SHORTCUTS.map(({ where, keys }) => (
        <section key={where}>
          <h3>{where}</h3>
          <dl className={styles.shortcuts}>
            {keys.map(([pressed, does]) => (
              <div key={does}>
                <dt>
                  {pressed.map((key) => (
                    <kbd key={key} translate="no">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Actions>
        <Button onClick={onClose}>Close</Button>
      </Actions>
    </Dialog>
  );
}
