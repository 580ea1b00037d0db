"use client";

import { type ChangeEvent, useEffect, useRef } from "react";
import { Button, LinkButton } from "@/components/controls/button";
import { Menu, MenuItem, MenuLink } from "@/components/controls/menu";
import {
  IconDownload,
  IconEye,
  IconFolderOpen,
  IconFolderPlus,
  IconFolderSymlink,
  IconFolderUp,
  IconPencil,
  IconTrash,
  IconUpload,
  IconX,
} from "@/components/frame/icons";
import type { Entry } from "./entry-list";
import styles from "./files.module.css";
import { type Picked, pickedIn } from "./upload-job";

export interface EntryActions {
  open: () => void;
  rename: () => void;
  download: () => void;
  move: () => void;
  remove: () => void;
  clear: () => void;
}

interface FolderActions {
  newFolder: () => void;
  upload: (picked: Picked) => void;
  importDocument: () => void;
  exportDocument: () => void;
  showDeleted: () => void;
}

interface ToolbarProps {
  chosen: Entry[];
  canExport: boolean;
  actions: EntryActions & FolderActions;
}

/** The actions for the selected entries, or else for the folder. */
export function Toolbar({ chosen, canExport, actions }: ToolbarProps) {
  return (
    <div
      className={styles.toolbar}
      role="toolbar"
      aria-label="Actions"
      onKeyDown={({ key }) => key === "Escape" && actions.clear()}
    >
      {chosen.length > 0 ? (
        <ForChosen chosen={chosen} actions={actions} />
      ) : (
        <ForFolder canExport={canExport} actions={actions} />
      )}
    </div>
  );
}

function ForFolder({ canExport, actions }: { canExport: boolean; actions: FolderActions }) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // React does not know this attribute.
    if (folder.current) folder.current.webkitdirectory = true;
  }, []);

  function pick({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    if (currentTarget.files) actions.upload(pickedIn(currentTarget.files));
    // So that the same file can be selected again.
    currentTarget.value = "";
  }

  return (
    <>
      <input ref={files} type="file" multiple hidden aria-label="Files to upload" onChange={pick} />
      <input ref={folder} type="file" hidden aria-label="Folder to upload" onChange={pick} />
      <Button size="sm" onClick={() => files.current?.click()} leftSection={<IconUpload size={16} />}>
        Upload files
      </Button>
      <Button
        size="sm"
        variant="default"
        onClick={() => folder.current?.click()}
        leftSection={<IconFolderUp size={16} />}
      >
        Upload a folder
      </Button>
      <Button size="sm" variant="default" onClick={actions.newFolder} leftSection={<IconFolderPlus size={16} />}>
        New folder
      </Button>
      <span className={styles.gap} />
      {canExport && (
        <Button size="sm" variant="subtle" onClick={actions.showDeleted}>
          Recently deleted
        </Button>
      )}
      <Button size="sm" variant="subtle" onClick={actions.importDocument}>
        Import
      </Button>
      {canExport && (
        <Button size="sm" variant="subtle" onClick={actions.exportDocument}>
          Export
        </Button>
      )}
    </>
  );
}

function ForChosen({ chosen, actions }: { chosen: Entry[]; actions: EntryActions }) {
  const [one] = chosen.length === 1 ? chosen : [];
  return (
    <>
      {one && !one.isFolder ? (
        <LinkButton
          href={`/files/content?id=${one.id}&save`}
          download
          size="sm"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          Download
        </LinkButton>
      ) : (
        <Button size="sm" variant="default" onClick={actions.download} leftSection={<IconDownload size={16} />}>
          Download
        </Button>
      )}
      {one && (
        <Button size="sm" variant="default" onClick={actions.rename} leftSection={<IconPencil size={16} />}>
          Rename
        </Button>
      )}
      <Button size="sm" variant="default" onClick={actions.move} leftSection={<IconFolderSymlink size={16} />}>
        Move
      </Button>
      <Button size="sm" variant="default" onClick={actions.remove} leftSection={<IconTrash size={16} />}>
        Delete
      </Button>
      <span className={styles.gap} />
      <Button
        size="sm"
        variant="subtle"
        onClick={actions.clear}
        title="Clear selection"
        leftSection={<IconX size={16} />}
      >
        <span role="status">{`${chosen.length.toLocaleString("en")} selected`}</span>
      </Button>
    </>
  );
}

interface EntryMenuProps {
  /** Where on the screen it was opened. */
  position: { x: number; y: number };
  /** The entries that it is about. */
  chosen: Entry[];
  actions: EntryActions;
  onClose: () => void;
}

/** The actions for these entries, at the position where the menu was opened. */
export function EntryMenu({ position, chosen, actions, onClose }: EntryMenuProps) {
  const [one] = chosen.length === 1 ? chosen : [];
  return (
    <Menu label="Actions" position={position} onClose={onClose}>
      {one && (
        <MenuItem onClick={actions.open} icon={one.isFolder ? <IconFolderOpen size={18} /> : <IconEye size={18} />}>
          Open
        </MenuItem>
      )}
      {one && !one.isFolder ? (
        <MenuLink href={`/files/content?id=${one.id}&save`} download icon={<IconDownload size={18} />}>
          Download
        </MenuLink>
      ) : (
        <MenuItem onClick={actions.download} icon={<IconDownload size={18} />}>
          Download
        </MenuItem>
      )}
      {one && (
        <MenuItem onClick={actions.rename} icon={<IconPencil size={18} />}>
          Rename
        </MenuItem>
      )}
      <MenuItem onClick={actions.move} icon={<IconFolderSymlink size={18} />}>
        Move
      </MenuItem>
      <MenuItem onClick={actions.remove} icon={<IconTrash size={18} />}>
        Delete
      </MenuItem>
    </Menu>
  );
}
