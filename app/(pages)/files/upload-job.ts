import type { UploadStage } from "@/components/files/uploads-in-words";
import type { OnExisting } from "@/lib/files/schema";
import { MOST_TOGETHER, SMALL_BYTES } from "@/lib/files/schema";
import type { PickedFile } from "./picked-files";
import type { BegunUpload } from "./send-file";
import { newFileId } from "./send-together";
import { Unreadable } from "./unreadable";

/** One file to be uploaded, as it is shown. */
export interface Upload {
  id: number;
  /** The name, with the names of the folders selected with it. */
  path: string;
  size: number;
  sent: number;
  /** There was no response for a moment; it will be retried. */
  isPaused: boolean;
  state: UploadStage;
  /** Why it failed. */
  error: string;
  /** Its file cannot be read: a retry would fail, too. */
  isLost: boolean;
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
}

export function newJob(id: number, { file, folders }: PickedFile, target: string): UploadJob {
  const path = [...folders, file.name].join("/");
  return {
    id,
    path,
    size: file.size,
    sent: 0,
    isPaused: false,
    state: "waiting",
    error: "",
    isLost: false,
    file,
    folders,
    target,
    existing: "refuse",
    abort: new AbortController(),
    fileId: newFileId(),
    isAlone: false,
  };
}

/** Those to be sent next: one, or small ones that go into the same folder in one request. Empty if none is waiting. */
export function nextOf(jobs: readonly UploadJob[]): UploadJob[] {
  const first = jobs.find(({ state }) => state === "waiting");
  if (!first || !isSmall(first)) return first ? [first] : [];
  const place = placeOf(first);
  const together = new Map<string, UploadJob>();
  for (const job of jobs) {
    if (together.size === MOST_TOGETHER) break;
    // A second file with the same name waits for the result of the first.
    if (job.state !== "waiting" || !isSmall(job) || together.has(job.file.name) || placeOf(job) !== place) continue;
    together.set(job.file.name, job);
  }
  return [...together.values()];
}

/** Whether it may share a request with others. */
export function isSmall({ size, isAlone }: UploadJob): boolean {
  return size <= SMALL_BYTES && !isAlone;
}

const placeOf = ({ target, folders, existing }: UploadJob) => JSON.stringify([target, folders, existing]);

/** Queues it again, from its beginning. */
export function putBack(job: UploadJob, existing: OnExisting): void {
  Object.assign(job, { state: "waiting", sent: 0, isPaused: false, error: "", existing } satisfies Partial<UploadJob>);
}

export function fail(job: UploadJob, error: string): void {
  Object.assign(job, { state: "failed", sent: 0, error } satisfies Partial<UploadJob>);
}

/** Records that its file cannot be read. */
export function lose(job: UploadJob): void {
  fail(job, new Unreadable().message);
  job.isLost = true;
}

/** Whether it is queued or being sent. */
export function isOpen({ state }: Upload): boolean {
  return state === "waiting" || state === "sending" || state === "asking";
}

/** Its visible fields. */
export function shown({ id, path, size, sent, isPaused, state, error, isLost }: UploadJob): Upload {
  return { id, path, size, sent, isPaused, state, error, isLost };
}
