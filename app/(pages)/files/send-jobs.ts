import { type EntrySummary, type OnExisting, PART_BYTES } from "@/lib/files/schema";
import { bytesOnDevice, isText, Unreadable } from "../file-text";
import { isPassing, type OpenedFolders, RefusedByServer, requestServer, withPatience } from "./request-server";
import {
  type BegunUpload,
  type Conflict,
  fail,
  failUnreadable,
  isUnchanged,
  putBack,
  type UploadJob,
} from "./upload-job";

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

/** Why a file was refused, if it was. */
interface FileResult {
  error?: string;
  code?: string;
  /** What has the name, if that is why. */
  existing?: EntrySummary;
}

/** The route for several files of a folder, and what it responds: a result for each of them, in their order. */
const TOGETHER = "/files/uploads/together";
type Results = { files: FileResult[] };

/**
 * Leaves out what the folder has already, and asks about names that it has for other files, before anything of them is
 * sent. If that fails, sending them says why.
 */
export async function compare(jobs: readonly UploadJob[], folders: OpenedFolders, events: SendEvents): Promise<void> {
  const [{ target, folders: path }] = jobs as [UploadJob];
  let results: FileResult[] = [];
  try {
    const { id: folder, isNew } = await folders.open(target, path);
    const body = JSON.stringify({ folder, names: jobs.map(({ file }) => file.name) });
    if (!isNew) results = (await requestServer<Results>("POST", TOGETHER, { body })).files;
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
  const { file, target, abort } = job;
  try {
    await withPatience(
      async () => {
        if (job.isFolder) await folders.open(target, [...job.folders, file.name]);
        else await sendFile(job, (await folders.open(target, job.folders)).id, progressOf([job], events));
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
 * Uploads a file into a folder: a small one in one request, a large one in parts. An interrupted upload is resumed,
 * even if another window began it. Throws a RefusedByServer, an Unreadable, or the signal's reason: who aborts a large
 * upload gives up what was begun.
 */
async function sendFile(job: UploadJob, folder: string, onProgress: (uploaded: number) => void): Promise<void> {
  const { fileId, file, existing, abort } = job;
  const { signal } = abort;
  if (file.size <= PART_BYTES)
    return requestServer<void>("PUT", "/files/uploads", {
      query: { id: fileId, folder, name: file.name, existing, modified: String(file.lastModified) },
      body: file,
      signal,
      onProgress,
    });
  const { path, ...begun } = (await resumed(job)) ?? (await begin(job, folder));
  let { received } = begun;
  try {
    while (received < file.size) {
      const offset = received;
      onProgress(offset);
      ({ received } = await requestServer<{ received: number }>("PUT", path, {
        query: { offset: String(offset) },
        body: file.slice(offset, offset + PART_BYTES),
        signal,
        onProgress: (uploaded) => onProgress(offset + uploaded),
      }));
    }
    await requestServer("POST", path, { signal });
  } catch (error) {
    // Refused for its content, which would be refused again.
    const isHopeless = error instanceof Unreadable || (error instanceof RefusedByServer && error.status === 400);
    if (isHopeless) await giveUp({ path });
    throw error;
  }
}

/** How far the upload is that was begun before; undefined if the service must be sent its description again. */
async function resumed({ begun, existing, abort }: UploadJob) {
  if (begun?.existing !== existing) return undefined;
  const { path } = begun;
  try {
    return { path, ...(await requestServer<{ received: number }>("GET", path, { signal: abort.signal })) };
  } catch (error) {
    if (error instanceof RefusedByServer && error.status === 404) return undefined;
    throw error;
  }
}

/** Begins an upload, or resumes the one that the service still has of the same file. */
async function begin(job: UploadJob, folder: string) {
  const { file, existing, abort } = job;
  const described = { name: file.name, totalBytes: file.size, modified: file.lastModified, isText: await isText(file) };
  abort.signal.throwIfAborted();
  // Without the signal: what was asked for is begun also after an abort, and must then be given up.
  const { uploadId, received } = await requestServer<{ uploadId: string; received: number }>("POST", "/files/uploads", {
    body: JSON.stringify({ folder, existing, ...described }),
  });
  const path = `/files/uploads/${uploadId}`;
  job.begun = { path, existing };
  if (job.state === "cancelled") void giveUp(job.begun);
  return { path, received };
}

/** Deletes what the service has of an upload; if that fails, it remains listed as unfinished. */
export async function giveUp({ path }: Pick<BegunUpload, "path">): Promise<void> {
  await requestServer("DELETE", path).catch(() => {});
}

/** A job whose file's content was read. */
interface SmallJob {
  job: UploadJob;
  content: ArrayBuffer;
}

/**
 * Sends files of one folder in one request, and records in their jobs what became of them. If the request is refused as
 * such, each is queued again, to be sent alone.
 */
export async function sendSmall(jobs: readonly UploadJob[], folders: OpenedFolders, events: SendEvents): Promise<void> {
  const sending = (await Promise.all(jobs.map(readSmall))).flatMap((small) => small ?? []);
  const [first] = sending;
  if (!first) return;
  const { target, existing, folders: path } = first.job;
  const all = sending.map(({ job }) => job);
  const open = () => all.filter(({ state }) => state === "sending");
  const { signal } = anyCancelled(all);
  try {
    const results = await withPatience(
      async () => {
        const { id: folder } = await folders.open(target, path);
        return sendTogether(sending, { folder, existing, signal, onProgress: progressOf(all, events) });
      },
      signal,
      (isPaused) => pause(open(), isPaused, events),
    );
    for (const [n, result] of results.entries()) settle(all[n], result, events);
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

interface SendingTogether {
  folder: string;
  existing: OnExisting;
  signal: AbortSignal;
  /** Called with the number of bytes sent so far, of all contents together. */
  onProgress: (uploaded: number) => void;
}

/** Uploads small files into a folder, in one request. Throws a RefusedByServer, or the signal's reason. */
async function sendTogether(
  small: readonly SmallJob[],
  { folder, existing, signal, onProgress }: SendingTogether,
): Promise<FileResult[]> {
  const files = small.map(({ job: { fileId, file }, content }) => ({
    id: fileId,
    name: file.name,
    size: content.byteLength,
    modified: file.lastModified,
  }));
  const head = new Blob([JSON.stringify({ folder, existing, files }), "\n"]);
  const response = await requestServer<Results>("PUT", TOGETHER, {
    body: new Blob([head, ...small.map(({ content }) => content)]),
    signal,
    onProgress: (uploaded) => onProgress(Math.max(0, uploaded - head.size)),
  });
  return response.files;
}

/** The job with its file's content, or undefined if it was cancelled or has failed because nothing can be read. */
async function readSmall(job: UploadJob): Promise<SmallJob | undefined> {
  try {
    const content = await bytesOnDevice(job.file);
    return job.state === "sending" ? { job, content } : undefined;
  } catch {
    if (job.state === "sending") failUnreadable(job);
    return undefined;
  }
}

/** If one of them is cancelled, the others are sent again without it. The service stores them once. */
function anyCancelled(jobs: readonly UploadJob[]): AbortController {
  const abort = new AbortController();
  for (const job of jobs) job.abort.signal.addEventListener("abort", () => abort.abort());
  return abort;
}

/** Records how many bytes of these files, one after another, were sent. */
function progressOf(jobs: readonly UploadJob[], { onChange }: SendEvents): (uploaded: number) => void {
  return (uploaded) => {
    let left = uploaded;
    for (const job of jobs) {
      job.uploaded = Math.min(left, job.size);
      left -= job.uploaded;
    }
    onChange();
  };
}

function pause(jobs: readonly UploadJob[], isPaused: boolean, { onChange }: SendEvents): void {
  for (const job of jobs) job.isPaused = isPaused;
  onChange();
}

/** Records the response about a file. */
function settle(job: UploadJob | undefined, { error, code, existing }: FileResult, { onConflict }: SendEvents): void {
  if (job?.state !== "sending") return;
  if (error === undefined) Object.assign(job, { state: "done", uploaded: job.size } satisfies Partial<UploadJob>);
  else if (job.existing === "refuse" && existing && isUnchanged(existing, job.file)) job.state = "unchanged";
  else if (code === "name_taken" && job.existing === "refuse" && !job.isFolder)
    onConflict(job, {
      sentence: error,
      existing,
      incoming: { isFolder: false, size: job.size, edited: job.file.lastModified },
    });
  else fail(job, error);
}

function signedOut(jobs: readonly UploadJob[], { message }: RefusedByServer, { onSignedOut }: SendEvents): void {
  for (const job of jobs) putBack(job, job.existing);
  onSignedOut(message);
}

const resultOf = ({ message, code, body }: RefusedByServer): FileResult => ({
  error: message,
  code,
  existing: body.existing as EntrySummary | undefined,
});
