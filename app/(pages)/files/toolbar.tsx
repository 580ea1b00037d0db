"use client";

import { type ReactNode, useRef, useState } from "react";
import { Button, LinkButton } from "@/components/buttons";
import {
  IconBraces,
  IconDownload,
  IconEye,
  IconPencil,
  IconPlus,
  IconRefresh,
  IconSearch,
  IconTrash,
} from "@/components/icons";
import { SteadyButton } from "@/components/steady-button";
import { SelectionBar } from "@/components/table";
import type { Entry } from "./entry-list";
import styles from "./files.module.css";
import {
  IconDots,
  IconFileText,
  IconFolderOpen,
  IconFolderPlus,
  IconFolderSymlink,
  IconFolderUp,
  IconKeyboard,
  IconUpload,
} from "./icons";
import { Menu, MenuItem, MenuLink, SteadyMenuItem } from "./menu";
import { type Picked, pickedIn, useFilePicker } from "./picked-files";

interface ToolbarProps {
  /** Nothing is stored yet. */
  isEmpty: boolean;
  /** On a phone the fields are shown on demand. Without the function there is nothing to filter. */
  isFiltering: boolean;
  onFiltering?: () => void;
  onUpload: (picked: Picked) => void;
  onDownloadAll: () => void;
  onExport: () => void;
  onDialog: (kind: "folder" | "deleted" | "import" | "shortcuts") => void;
  /** The fields that filter and sort the list. */
  children: ReactNode;
}

/** The actions for the folder, and the way to its entries. */
export function Toolbar(props: ToolbarProps) {
  const { isEmpty, isFiltering, onFiltering, onUpload, onDownloadAll, onExport, onDialog, children } = props;
  const onPick = (files: FileList) => onUpload(pickedIn(files));
  const files = useFilePicker({ label: "Files to upload", multiple: true, onPick });
  const folder = useFilePicker({ label: "Folder to upload", isFolder: true, onPick });

  return (
    <div className={styles.toolbar} role="toolbar" aria-label="Actions">
      {files.field}
      {folder.field}
      <MenuButton label="Add" icon={<IconPlus size={16} />} variant="filled">
        <MenuItem onClick={files.open} icon={<IconUpload size={18} />}>
          Upload files
        </MenuItem>
        <MenuItem onClick={folder.open} icon={<IconFolderUp size={18} />}>
          Upload a folder
        </MenuItem>
        <MenuItem onClick={() => onDialog("folder")} icon={<IconFolderPlus size={18} />}>
          New folder
        </MenuItem>
      </MenuButton>
      <div className={styles.finding} data-open={isFiltering || undefined}>
        {children}
      </div>
      {onFiltering && (
        <Button
          size="sm"
          variant="default"
          className={`${styles.compact} ${styles.narrow}`}
          leftSection={<IconSearch size={16} />}
          aria-expanded={isFiltering}
          onClick={onFiltering}
        >
          <span>Filter</span>
        </Button>
      )}
      {!isEmpty && (
        <Button
          size="sm"
          variant="default"
          className={styles.compact}
          leftSection={<IconDownload size={16} />}
          onClick={onDownloadAll}
        >
          <span>Download all (ZIP)</span>
        </Button>
      )}
      <MenuButton label="More" icon={<IconDots size={16} />} variant="default" isIcon>
        {!isEmpty && (
          <MenuItem onClick={() => onDialog("deleted")} icon={<IconRefresh size={18} />}>
            Recently deleted
          </MenuItem>
        )}
        {!isEmpty && (
          <MenuItem onClick={onExport} icon={<IconBraces size={18} />}>
            Export for programs (JSON)
          </MenuItem>
        )}
        <MenuItem onClick={() => onDialog("import")} icon={<IconFileText size={18} />}>
          Import (JSON)
        </MenuItem>
        <MenuItem onClick={() => onDialog("shortcuts")} icon={<IconKeyboard size={18} />}>
          Keyboard shortcuts
        </MenuItem>
      </MenuButton>
    </div>
  );
}

interface MenuButtonProps {
  label: string;
  icon: ReactNode;
  variant: "filled" | "default";
  /** Nobody sees the label. */
  isIcon?: boolean;
  children: ReactNode;
}

function MenuButton({ label, icon, variant, isIcon = false, children }: MenuButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [position, setPosition] = useState<{ x: number; y: number } | null>(null);
  /** The press that closes the menu must not open it again. */
  const isClosing = useRef(false);

  function press() {
    const { left = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {};
    if (!isClosing.current) setPosition({ x: left, y: bottom });
    isClosing.current = false;
  }

  function close() {
    setPosition(null);
    button.current?.focus();
  }

  return (
    <>
      <Button
        ref={button}
        size="sm"
        variant={variant}
        className={isIcon ? styles.icon : undefined}
        leftSection={icon}
        title={isIcon ? label : undefined}
        aria-haspopup="menu"
        aria-expanded={position !== null}
        onPointerDown={() => {
          isClosing.current = position !== null;
        }}
        onClick={press}
      >
        <span>{label}</span>
      </Button>
      {position && (
        <Menu label={label} position={position} onClose={close}>
          {children}
        </Menu>
      )}
    </>
  );
}

export interface EntryActions {
  open: () => void;
  /** Only for results of a search: in a folder they are shown already. */
  showInFolder?: () => void;
  rename: () => void;
  download: () => void;
  move: () => void;
  remove: () => void;
  clear: () => void;
}

interface EntryAction {
  label: string;
  /** It destroys. */
  isSteady?: boolean;
  icon: ReactNode;
  act?: () => void;
  /** Instead of `act`: what is downloaded. */
  href?: string;
}

/** What can be done with these entries, beside opening one. */
function actionsOn(chosen: Entry[], { rename, download, move, remove }: EntryActions): EntryAction[] {
  const [one] = chosen.length === 1 ? chosen : [];
  const file = one && !one.isFolder ? one : undefined;
  return [
    {
      label: "Download",
      icon: <IconDownload size={18} />,
      ...(file ? { href: `/files/content?id=${file.id}&save` } : { act: download }),
    },
    ...(one ? [{ label: "Rename", icon: <IconPencil size={18} />, act: rename }] : []),
    { label: "Move", icon: <IconFolderSymlink size={18} />, act: move },
    { label: "Delete", icon: <IconTrash size={18} />, act: remove, isSteady: true },
  ];
}

/** What can be done with the selected entries. */
export function SelectionActions({ chosen, actions }: { chosen: Entry[]; actions: EntryActions }) {
  const shared = { size: "sm", variant: "default", className: styles.compact } as const;
  return (
    <SelectionBar count={chosen.length} onClear={actions.clear}>
      {actionsOn(chosen, actions).map(({ label, icon, act, href, isSteady }) => {
        const Action = isSteady ? SteadyButton : Button;
        return href ? (
          <LinkButton key={label} href={href} download leftSection={icon} {...shared}>
            <span>{label}</span>
          </LinkButton>
        ) : (
          <Action key={label} onClick={act} leftSection={icon} {...shared}>
            <span>{label}</span>
          </Action>
        );
      })}
    </SelectionBar>
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
      {one && actions.showInFolder && (
        <MenuItem onClick={actions.showInFolder} icon={<IconSearch size={18} />}>
          Show in folder
        </MenuItem>
      )}
      {actionsOn(chosen, actions).map(({ label, icon, act, href, isSteady }) => {
        const Item = isSteady ? SteadyMenuItem : MenuItem;
        return href ? (
          <MenuLink key={label} href={href} download icon={icon}>
            {label}
          </MenuLink>
        ) : (
          <Item key={label} onClick={act} icon={icon}>
            {label}
          </Item>
        );
      })}
    </Menu>
  );
}
