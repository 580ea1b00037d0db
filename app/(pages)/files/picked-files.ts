/** A file that a person chose, with the names of the folders around it, outermost first. */
export interface PickedFile {
  file: File;
  folders: string[];
}

/** What a person chose or dropped. */
export interface Picked {
  files: PickedFile[];
  /** Folders without any file in them. */
  emptyFolders: string[][];
  /** Names of what the browser could not read. */
  unreadable: string[];
}

/** What was chosen in a file input, of single files or of a folder. */
export function pickedIn(list: FileList): Picked {
  const files = Array.from(list, (file) => ({ file, folders: file.webkitRelativePath.split("/").slice(0, -1) }));
  return { files, emptyFolders: [], unreadable: [] };
}

/** What was dropped, with all that is in its folders. */
export async function droppedIn(data: DataTransfer): Promise<Picked> {
  const picked: Picked = { files: [], emptyFolders: [], unreadable: [] };
  // The list of items is empty as soon as the event is over, so all are asked for at once.
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

/** A reader answers a hundred at a time, and nothing when it has answered all. */
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
