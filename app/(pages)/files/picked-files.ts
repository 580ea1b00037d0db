/** A selected file, with the names of its parent folders, outermost first. */
export interface PickedFile {
  file: File;
  folders: string[];
}

/** The selected or dropped files. */
export interface Picked {
  files: PickedFile[];
  /** Folders without any file in them. */
  emptyFolders: string[][];
  /** Names of entries that the browser could not read. */
  unreadable: string[];
}

/** The selection of a file input, for single files or for a folder. */
export function pickedIn(list: FileList): Picked {
  const files = Array.from(list, (file) => ({ file, folders: file.webkitRelativePath.split("/").slice(0, -1) }));
  return { files, emptyFolders: [], unreadable: [] };
}

/** The dropped files, with the contents of dropped folders. */
export async function droppedIn(data: DataTransfer): Promise<Picked> {
  const picked: Picked = { files: [], emptyFolders: [], unreadable: [] };
  // The list of items is emptied after the event, so read all of them now.
  const items = Array.from(data.items, (item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  for (const { entry, file } of items) {
    if (entry) await gather(entry, [], picked);
    else if (file) picked.files.push({ file, folders: [] });
  }
  return picked;
}

async function gather(entry: FileSystemEntry, folders: string[], picked: Picked): Promise<void> {
  try {
    if (isFile(entry)) {
      picked.files.push({ file: await new Promise<File>((resolve, reject) => entry.file(resolve, reject)), folders });
    } else if (isDirectory(entry)) {
      const inside = [...folders, entry.name];
      const children = await childrenOf(entry);
      if (children.length === 0) picked.emptyFolders.push(inside);
      for (const child of children) await gather(child, inside, picked);
    }
  } catch {
    picked.unreadable.push(entry.name);
  }
}

/** A reader returns a hundred at a time, and an empty list at the end. */
async function childrenOf(directory: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = directory.createReader();
  const children: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return children;
    children.push(...more);
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isDirectory = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
