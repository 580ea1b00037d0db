import { type ChangeEvent, useEffect, useRef } from "react";
import { Unreadable } from "../file-text";

/** A selected file, with the names of its parent folders, outermost first. */
export interface PickedFile {
  file: File;
  folders: string[];
  /** A folder without any file in it; `file` has its name. */
  isFolder?: boolean;
}

/** The selected or dropped files. */
export interface Picked {
  files: PickedFile[];
  /** Paths of entries that the browser could not read, or that were too many or too deep. */
  unreadable: string[];
}

interface FilePickerOptions {
  /** What the files are for. */
  label: string;
  multiple?: boolean;
  /** A folder is selected, with all files in it. */
  isFolder?: boolean;
  onPick: (files: FileList) => void;
}

/** Files are selected on this device: `open` asks for them, and `field` must be on the page. */
export function useFilePicker({ label, multiple = false, isFolder = false, onPick }: FilePickerOptions) {
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    // React does not know this attribute.
    if (input.current) input.current.webkitdirectory = isFolder;
  });

  function pick({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    if (currentTarget.files) onPick(currentTarget.files);
    // So that the same file can be selected again.
    currentTarget.value = "";
  }

  const field = <input ref={input} type="file" multiple={multiple} hidden aria-label={label} onChange={pick} />;
  return { field, open: () => input.current?.click() };
}

/** The selection of a file input, for single files or for a folder. */
export function pickedIn(list: FileList): Picked {
  const files = Array.from(list, (file) => ({ file, folders: file.webkitRelativePath.split("/").slice(0, -1) }));
  return { files, unreadable: [] };
}

/** The dropped files, with the contents of dropped folders. */
export async function droppedIn(data: DataTransfer): Promise<Picked> {
  const picked: Picked = { files: [], unreadable: [] };
  // The list of items is emptied after the event, so read all of them now.
  const items = Array.from(data.items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  for (const { entry, file } of items) {
    if (entry) await gather(entry, [], picked);
    else if (file) picked.files.push({ file, folders: [] });
  }
  return picked;
}

/** Deeper folders, and more entries than this, are not read: a drop ends whatever the browser reports. */
const MAX_DEPTH = 100;
const MAX_GATHERED = 100_000;

async function gather(entry: FileSystemEntry, folders: string[], picked: Picked): Promise<void> {
  try {
    // Chromium on Linux gives no name to what has one that is no valid text: such a folder would contain itself.
    if (entry.name === "" || folders.length > MAX_DEPTH || countOf(picked) >= MAX_GATHERED) throw new Unreadable();
    if (isFile(entry)) {
      picked.files.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), folders });
    } else if (isDirectory(entry)) {
      const inside = [...folders, entry.name];
      const children = await childrenOf(entry, MAX_GATHERED - countOf(picked));
      if (children.length === 0) picked.files.push({ file: new File([], entry.name), folders, isFolder: true });
      for (const child of children) await gather(child, inside, picked);
    }
  } catch {
    const path = [...folders, entry.name || "(a name that can't be read)"].join("/");
    if (picked.unreadable.length < MAX_GATHERED) picked.unreadable.push(path);
  }
}

const countOf = ({ files, unreadable }: Picked) => files.length + unreadable.length;

/** A reader returns a hundred at a time, and an empty list at the end. Throws an Unreadable for more than `most`. */
async function childrenOf(directory: FileSystemDirectoryEntry, most: number): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return children;
    children.push(...more);
    if (children.length > most) throw new Unreadable();
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
