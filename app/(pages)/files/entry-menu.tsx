"use client";

import type { Entry } from "@/components/files/entry-list";
import { IconDownload, IconEye, IconFolderOpen, IconFolderSymlink, IconPencil, IconTrash } from "@/components/icons";
import { Menu, MenuItem, MenuLink } from "@/components/menu";
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
    <Menu label="Actions" place={place} onClose={onClose}>
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
