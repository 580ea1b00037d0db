import { type EntrySummary, MAX_TOGETHER, type OnExisting, SMALL_BYTES } from "@/lib/files/schema";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { counted } from "@/lib/platform/bounds";
import { Unreadable } from "../file-text";
import { randomId } from "../use-action";
import type { PickedFile } from "./picked-files";

/** An upload in parts that was begun for a file. */
export interface BegunUpload {
  path: string;
  existing: OnExisting;
}

/** One file, or folder without any, to be uploaded. */
export interface UploadJob {
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
export function isOpen({ state }: UploadJob): boolean {
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

/** Whether an unfinished upload, as the service lists it, is of this file. */
export function isUploadOf(
  { name, totalBytes, modified }: Pick<UnfinishedUpload, "name" | "totalBytes" | "modified">,
  file: File,
): boolean {
  return file.name === name && file.size === totalBytes && file.lastModified === modified;
}

/** What helps to distinguish two entries of one name. */
export type Compared = Pick<EntrySummary, "isFolder" | "size" | "edited">;

export type ConflictAnswer = Exclude<OnExisting, "refuse"> | "skip";

/** The time over which the rate is averaged. */
const AVERAGED_MS = 10_000;
/** No rate before this time: the first moments are not representative. */
const LEAST_MS = 2_000;

/** How fast bytes are sent, averaged over the last seconds. */
export class UploadRate {
  private moved = 0;
  private readonly samples: { at: number; moved: number }[];

  /** `uploaded`: the bytes that are already sent, at the time `now` in milliseconds. */
  constructor(
    private uploaded: number,
    now: number,
  ) {
    this.samples = [{ at: now, moved: 0 }];
  }

  /** Bytes per second, or undefined if it is not yet measured or nothing moves. Call this about once a second. */
  measure(uploaded: number, now: number): number | undefined {
    // An upload that is retried or cancelled sends its bytes again: that is no speed.
    this.moved += Math.max(0, uploaded - this.uploaded);
    this.uploaded = uploaded;
    this.samples.push({ at: now, moved: this.moved });
    while (this.samples[1] && this.samples[1].at <= now - AVERAGED_MS) this.samples.shift();
    const [first] = this.samples;
    if (!first || now - first.at < LEAST_MS || this.moved === first.moved) return undefined;
    return (this.moved - first.moved) / ((now - first.at) / 1_000);
  }
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A readable duration, like "8 s", "45 s" or "1 h 20 min": rounded up, and the longer the coarser, to stay calm. */
export function readableSeconds(seconds: number): string {
  if (seconds <= 10) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds <= MINUTE - 5) return `${Math.ceil(seconds / 5) * 5} s`;
  if (seconds > DAY) return "more than a day";
  const minutes = Math.ceil(seconds / MINUTE);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 ? [`${rest} min`] : [])].join(" ");
}

export type UploadStage =
  | "waiting"
  | "sending"
  | "conflict"
  | "done"
  | "unchanged"
  | "skipped"
  | "cancelled"
  | "failed";

/** How many uploads there are: in all but those left out and cancelled, and of each kind. */
interface UploadCounts {
  open: number;
  failed: number;
  done: number;
  unchanged: number;
  skipped: number;
  all: number;
  hasFolders: boolean;
}

export function countUploads(uploads: readonly { state: UploadStage; isFolder: boolean }[]): UploadCounts {
  const number = (...states: UploadStage[]) => uploads.filter(({ state }) => states.includes(state)).length;
  const [open, failed, done] = [number("waiting", "sending", "conflict"), number("failed"), number("done")];
  const [unchanged, skipped] = [number("unchanged"), number("skipped")];
  const hasFolders = uploads.some(({ isFolder }) => isFolder);
  return { open, failed, done, unchanged, skipped, all: open + failed + done, hasFolders };
}

/** How far they are, or how they ended, without a full stop. */
export function uploadsInWords({ open, failed, done, unchanged, skipped, all, hasFolders }: UploadCounts): string {
  const [one, many] = hasFolders ? ["file or folder", "files and folders"] : ["file", "files"];
  const files = (number: number, kind = "") => counted(number, `${kind}${one}`, `${kind}${many}`);
  if (open > 0) return `Uploading ${done.toLocaleString("en")} of ${files(all)}`;
  const parts = [
    ...(failed > 0 ? [`${files(failed)} couldn't be uploaded`] : []),
    ...(done > 0 ? [`${files(done)} uploaded`] : []),
    ...(unchanged > 0 ? [`${files(unchanged, "unchanged ")} skipped`] : []),
    ...(skipped > 0 ? [`${skipped.toLocaleString("en")} skipped`] : []),
  ];
  return done + failed + unchanged > 0 ? parts.join(", ") : ["Nothing was uploaded", ...parts].join(", ");
}
