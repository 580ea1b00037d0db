import { bytesOnDevice } from "../file-text";
import { RefusedByServer, requestServer } from "./request-server";
import {
  compareNames,
  giveUp,
  isPassing,
  type SmallContent,
  type SmallResult,
  sendFile,
  sendTogether,
  withPatience,
} from "./send-file";
import { type Conflict, fail, failUnreadable, isUnchanged, putBack, type UploadJob } from "./upload-job";

interface OpenedFolder {
  id: string;
  /** It was missing: it has no names to compare with. */
  isNew: boolean;
}

/** The parent folders of uploaded files, each requested once and created if missing. */
export class OpenedFolders {
  private readonly opened = new Map<string, Promise<OpenedFolder>>();

  /** The folder with these names below `target`, outermost first. Throws a RefusedByServer. */
  open(target: string, folders: string[]): Promise<OpenedFolder> {
    const name = folders.at(-1);
    if (name === undefined) return Promise.resolve({ id: target, isNew: false });
    const cacheKey = JSON.stringify([target, folders]);
    const folder = this.opened.get(cacheKey) ?? this.request(target, folders.slice(0, -1), name);
    this.opened.set(cacheKey, folder);
    folder.catch(() => this.opened.delete(cacheKey));
    return folder;
  }

  /** Call this before requesting folders again that were deleted meanwhile. */
  forget(): void {
    this.opened.clear();
  }

  private async request(target: string, around: string[], name: string): Promise<OpenedFolder> {
    const { id: folder } = await this.open(target, around);
    return requestServer("POST", "/files/folders", { query: { folder, name } });
  }
}

/** What sending reports to the queue, beside the states of the jobs. */
export interface SendEvents {
  /** A job has changed. */
  onChange: () => void;
  /** Something was stored. */
  onStored: () => void;
  /** The folder has an entry with this job's name. */
  onConflict: (job: UploadJob, conflict: Conflict) => void;
  /** The jobs are queued again, but the user must sign in first. */
  onSignedOut: (sentence: string) => void;
}

/**
 * Leaves out what the folder has already, and asks about names that it has for other files, before anything of them is
 * sent. If that fails, sending them says why.
 */
export async function compare(jobs: readonly UploadJob[], folders: OpenedFolders, events: SendEvents): Promise<void> {
  const [{ target, folders: path }] = jobs as [UploadJob];
  let results: SmallResult[] = [];
  try {
    const { id, isNew } = await folders.open(target, path);
    if (!isNew)
      results = await compareNames(
        jobs.map(({ file }) => file.name),
        id,
      );
  } catch (error) {
    if (!(error instanceof RefusedByServer)) throw error;
  }
  for (const [n, job] of jobs.entries()) {
    const result = results[n] ?? {};
    if (result.error !== undefined) settle(job, result, events);
    else if (job.state === "sending") putBack(job, job.existing);
  }
}

/** Sends a file, or opens a folder without any, and records in its job what became of it. */
export async function sendAlone(job: UploadJob, folders: OpenedFolders, events: SendEvents): Promise<void> {
  const { fileId, file, target, existing, abort } = job;
  const onProgress = (uploaded: number) => {
    job.uploaded = Math.min(uploaded, job.size);
    events.onChange();
  };
  try {
    await withPatience(
      async () => {
        if (job.isFolder) return void (await folders.open(target, [...job.folders, file.name]));
        const { id: folder } = await folders.open(target, job.folders);
        await sendFile(file, {
          fileId,
          folder,
          name: file.name,
          existing,
          begun: job.begun,
          signal: abort.signal,
          onBegun: (begun) => {
            job.begun = begun;
            if (job.state === "cancelled") void giveUp(begun);
          },
          onProgress,
        });
      },
      abort.signal,
      (isPaused) => pause([job], isPaused, events),
    );
    settle(job, {}, events);
    events.onStored();
  } catch (error) {
    if (job.state === "cancelled") return;
    if (!(error instanceof RefusedByServer)) failUnreadable(job);
    else if (error.status === 401) signedOut([job], error, events);
    else settle(job, resultOf(error), events);
  }
}

/**
 * Sends files of one folder in one request, and records in their jobs what became of them. If the request is refused as
 * such, each is queued again, to be sent alone.
 */
export async function sendSmall(jobs: readonly UploadJob[], folders: OpenedFolders, events: SendEvents): Promise<void> {
  const sending = (await Promise.all(jobs.map(readSmall))).flatMap((small) => small ?? []);
  const [first] = sending;
  if (!first) return;
  const { target, existing } = first.job;
  const onProgress = (uploaded: number) => {
    let left = uploaded;
    for (const { job } of sending) {
      job.uploaded = Math.min(left, job.size);
      left -= job.uploaded;
    }
    events.onChange();
  };
  const { signal } = anyCancelled(sending);
  const open = () => sending.map(({ job }) => job).filter(({ state }) => state === "sending");
  try {
    const results = await withPatience(
      async () => {
        const { id: folder } = await folders.open(target, first.job.folders);
        return sendTogether(sending, { folder, existing, signal, onProgress });
      },
      signal,
      (isPaused) => pause(open(), isPaused, events),
    );
    for (const [n, result] of results.entries()) settle(sending[n]?.job, result, events);
    if (results.some(({ error }) => error === undefined)) events.onStored();
  } catch (error) {
    const isRefused = error instanceof RefusedByServer;
    if (isRefused && error.status === 401) return signedOut(open(), error, events);
    for (const job of open()) {
      if (isRefused && (sending.length === 1 || isPassing(error))) settle(job, resultOf(error), events);
      else {
        job.isAlone = !signal.aborted;
        putBack(job, existing);
      }
    }
  }
}

type SmallJob = SmallContent & { job: UploadJob };

/** The job with its file's content, or undefined if it was cancelled or has failed because nothing can be read. */
async function readSmall(job: UploadJob): Promise<SmallJob | undefined> {
  const { fileId, file } = job;
  try {
    const content = await bytesOnDevice(file);
    return job.state === "sending" ? { job, fileId, file, content } : undefined;
  } catch {
    if (job.state === "sending") failUnreadable(job);
    return undefined;
  }
}

/** If one of them is cancelled, the others are sent again without it. The service stores them once. */
function anyCancelled(sending: readonly SmallJob[]): AbortController {
  const abort = new AbortController();
  for (const { job } of sending) job.abort.signal.addEventListener("abort", () => abort.abort());
  return abort;
}

function pause(jobs: readonly UploadJob[], isPaused: boolean, { onChange }: SendEvents): void {
  for (const job of jobs) job.isPaused = isPaused;
  onChange();
}

/** Records the response about a file. */
function settle(job: UploadJob | undefined, { error, code, existing }: SmallResult, { onConflict }: SendEvents): void {
  if (job?.state !== "sending") return;
  if (error === undefined) Object.assign(job, { state: "done", uploaded: job.size } satisfies Partial<UploadJob>);
  else if (job.existing === "refuse" && existing && isUnchanged(existing, job.file)) job.state = "unchanged";
  else if (code === "name_taken" && job.existing === "refuse" && !job.isFolder)
    onConflict(job, conflictOf(job, error, existing));
  else fail(job, error);
}

function signedOut(jobs: readonly UploadJob[], { message }: RefusedByServer, { onSignedOut }: SendEvents): void {
  for (const job of jobs) putBack(job, job.existing);
  onSignedOut(message);
}

function conflictOf({ file }: UploadJob, sentence: string, existing: SmallResult["existing"]): Conflict {
  return { sentence, existing, incoming: { isFolder: false, size: file.size, edited: file.lastModified } };
}

const resultOf = ({ message, code, body }: RefusedByServer): SmallResult => ({
  error: message,
  code,
  existing: body.existing as SmallResult["existing"],
});
