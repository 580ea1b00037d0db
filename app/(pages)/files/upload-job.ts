import type { PickedFile } from "./picked-files";
import type { OnExisting } from "./send-file";

/** One file that is to be uploaded, as it is shown. */
export interface Upload {
  id: number;
  /** The name, with those of the folders that were chosen with it. */
  path: string;
  size: number;
  sent: number;
  /** Nothing answered for a moment, and it will be tried again. */
  isPaused: boolean;
  state: "waiting" | "sending" | "asking" | "done" | "skipped" | "cancelled" | "failed";
  /** Why it failed. */
  error: string;
}

export interface UploadJob extends Upload {
  file: File;
  folders: string[];
  /** The id of the folder that everything was dropped on. */
  target: string;
  existing: OnExisting;
  abort: AbortController;
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
    file,
    folders,
    target,
    existing: "refuse",
    abort: new AbortController(),
  };
}

/** Has it sent, from its beginning, as soon as there is room. */
export function putBack(job: UploadJob, existing: OnExisting): void {
  Object.assign(job, { state: "waiting", sent: 0, isPaused: false, error: "", existing } satisfies Partial<UploadJob>);
}

export function fail(job: UploadJob, error: string): void {
  Object.assign(job, { state: "failed", sent: 0, error } satisfies Partial<UploadJob>);
}

/** Whether it is still to be sent, or being sent. */
export function isOpen({ state }: Upload): boolean {
  return state === "waiting" || state === "sending" || state === "asking";
}

/** What is shown of it. */
export function shown({ id, path, size, sent, isPaused, state, error }: UploadJob): Upload {
  return { id, path, size, sent, isPaused, state, error };
}
