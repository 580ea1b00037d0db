"use client";

import { Menu, MenuDropdown, MenuItem, MenuTarget } from "@mantine/core";
import { IconDownload, IconEye, IconFolderOpen, IconFolderSymlink, IconPencil, IconTrash } from "@tabler/icons-react";
import type { Entry } from "@/components/files/entry-list";
import type { EntryActions } from "./toolbar";

interface EntryMenuProps {
  /** Where on the screen it was opened. */
  place: { x: number; y: number };
  /** The entries that it is about. */
  chosen: Entry[];
  actions: EntryActions;
  onClose: () => void;
}

/** The actions for these entries, at the position where the menu was opened. */
export function EntryMenu({ place, chosen, actions, onClose }: EntryMenuProps) {
  const [one] = chosen.length === 1 ? chosen : [];
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-start"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      hideDetached={false}
      width={200}
      transitionProps={{ duration: 0 }}
    >
      <MenuTarget>
        <span
          aria-hidden
          style={{ position: "fixed", left: `min(${place.x}px, 100vw)`, top: `min(${place.y}px, 100vh)` }}
        />
      </MenuTarget>
      <MenuDropdown aria-label="Actions">
        {one && (
          <MenuItem
            onClick={actions.open}
            leftSection={one.isFolder ? <IconFolderOpen size={18} /> : <IconEye size={18} />}
          >
            Open
          </MenuItem>
        )}
        {one && !one.isFolder ? (
          <MenuItem
            component="a"
            href={`/files/content?id=${one.id}&save`}
            download
            leftSection={<IconDownload size={18} />}
          >
            Download
          </MenuItem>
        ) : (
          <MenuItem onClick={actions.download} leftSection={<IconDownload size={18} />}>
            Download
          </MenuItem>
        )}
        {one && (
          <MenuItem onClick={actions.rename} leftSection={<IconPencil size={18} />}>
            Rename
          </MenuItem>
        )}
        <MenuItem onClick={actions.move} leftSection={<IconFolderSymlink size={18} />}>
          Move
        </MenuItem>
        <MenuItem onClick={actions.remove} leftSection={<IconTrash size={18} />}>
          Delete
        </MenuItem>
      </MenuDropdown>
    </Menu>
  );
}
