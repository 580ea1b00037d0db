import { type EntrySummary, MAX_TOGETHER, type OnExisting, SMALL_BYTES } from "@/lib/files/schema";
import { Unreadable } from "../file-text";
import { randomId } from "../use-action";
import type { BegunUpload } from "./send-file";
import type { UploadStage } from "./upload-rate";

/** A selected file, with the names of its parent folders, outermost first. */
interface PickedFile {
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

/** One file, or folder without any, to be uploaded, as it is shown. */
export interface Upload {
  id: number;
  /** The name, with the names of the folders selected with it. */
  path: string;
  isFolder: boolean;
  size: number;
  uploaded: number;
  /** There was no response for a moment; it will be retried. */
  isPaused: boolean;
  state: UploadStage;
  /** Why it failed. */
  error: string;
  /** Its file cannot be read: a retry would fail, too. */
  isUnreadable: boolean;
}

export interface UploadJob extends Upload {
  file: File;
  folders: string[];
  /** The id of the folder that everything was dropped on. */
  target: string;
  existing: OnExisting;
  abort: AbortController;
  /** By which the service recognises a file that is sent again. */
  fileId: string;
  /** Its upload in parts, once that was begun. */
  begun?: BegunUpload;
  /** It must be sent by itself, because it was refused together with others. */
  isAlone: boolean;
  /** It need not be compared with what the folder has (any more). */
  isCompared: boolean;
  /** What is asked about its name, if that exists. */
  conflict?: Conflict;
}

export function newJob(id: number, { file, folders, isFolder = false }: PickedFile, target: string): UploadJob {
  const path = [...folders, file.name].join("/");
  return {
    id,
    path,
    isFolder,
    size: file.size,
    uploaded: 0,
    isPaused: false,
    state: "waiting",
    error: "",
    isUnreadable: false,
    file,
    folders,
    target,
    existing: "refuse",
    abort: new AbortController(),
    fileId: randomId(),
    isAlone: isFolder,
    isCompared: isFolder,
  };
}

/**
 * Those of the next request. `compare`: several that go into the same folder, to learn which of their names it has.
 * `send`: one, or small ones that go into the same folder. Empty if none is waiting.
 */
export function nextOf(jobs: readonly UploadJob[]): { jobs: UploadJob[]; task: "compare" | "send" } {
  const first = jobs.find(({ state }) => state === "waiting");
  if (!first) return { jobs: [], task: "send" };
  const compared = first.isCompared ? [] : together(jobs, first, (job) => !job.isCompared);
  if (compared.length > 1) return { jobs: compared, task: "compare" };
  const isLike = (job: UploadJob) => isSmall(job) && job.isCompared === first.isCompared;
  return { jobs: isSmall(first) ? together(jobs, first, isLike) : [first], task: "send" };
}

/** The waiting ones like the first that go into the same folder, as many as share a request. */
function together(jobs: readonly UploadJob[], first: UploadJob, isLike: (job: UploadJob) => boolean): UploadJob[] {
  const destination = destinationOf(first);
  const byName = new Map<string, UploadJob>();
  for (const job of jobs) {
    if (byName.size === MAX_TOGETHER) break;
    // A second file with the same name waits for the result of the first.
    if (job.state !== "waiting" || !isLike(job) || byName.has(job.file.name) || destinationOf(job) !== destination)
      continue;
    byName.set(job.file.name, job);
  }
  return [...byName.values()];
}

/** Whether it may share a request with others. */
export function isSmall({ size, isAlone }: UploadJob): boolean {
  return size <= SMALL_BYTES && !isAlone;
}

const destinationOf = ({ target, folders, existing }: UploadJob) => JSON.stringify([target, folders, existing]);

/** Queues it again, from its beginning. */
export function putBack(job: UploadJob, existing: OnExisting): void {
  Object.assign(job, {
    state: "waiting",
    uploaded: 0,
    isPaused: false,
    error: "",
    existing,
    isCompared: true,
  } satisfies Partial<UploadJob>);
}

export function fail(job: UploadJob, error: string): void {
  Object.assign(job, { state: "failed", uploaded: 0, error } satisfies Partial<UploadJob>);
}

/** Records that its file cannot be read. */
export function failUnreadable(job: UploadJob): void {
  fail(job, new Unreadable().message);
  job.isUnreadable = true;
}

/** Whether it is queued or being sent. */
export function isOpen({ state }: Upload): boolean {
  return state === "waiting" || state === "sending" || state === "conflict";
}

/** A name that exists, and the two entries that would have it, as far as they were listed. */
export interface Conflict {
  sentence: string;
  existing?: Compared;
  incoming?: Compared;
}

/**
 * Whether the folder has this file already, by name, size and modification date: then an upload that was interrupted
 * need not send it again. The name may be in another normal form (macOS).
 */
export function isUnchanged({ isFolder, name, size, edited }: EntrySummary, file: File): boolean {
  const isNamesake = !isFolder && name.normalize() === file.name.normalize();
  return isNamesake && size === file.size && edited === file.lastModified;
}

/** What helps to distinguish two entries of one name. */
export type Compared = Pick<EntrySummary, "isFolder" | "size" | "edited">;

export type ConflictAnswer = Exclude<OnExisting, "refuse"> | "skip";
