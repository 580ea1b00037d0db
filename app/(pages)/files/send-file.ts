import { type EntrySummary, isPlainText, type OnExisting, PART_BYTES } from "@/lib/files/schema";
import { Unreadable } from "../file-text";
import { RefusedByServer, requestServer } from "./request-server";

/**
 * Whether a file can be stored as text, character for character: UTF-8 from first to last byte. Reads it in small
 * parts, and stops at the first invalid one. Throws an Unreadable.
 */
async function isText(file: Blob): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const reader = file.stream().getReader();
  const read = () =>
    reader.read().catch(() => {
      throw new Unreadable();
    });
  try {
    let isFirst = true;
    for (let next = await read(); !next.done; next = await read()) {
      const text = decoder.decode(next.value, { stream: true });
      if (!isPlainText(text, isFirst)) return false;
      isFirst = false;
    }
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** Seconds to wait before each retry. */
const WAITS = [1, 3, 9, 27];

/**
 * Runs the work, with retries if the connection or the service failed temporarily; `onPause` is called when a pause
 * begins and ends. Throws the last error, or the signal's reason.
 */
export async function withPatience<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  onPause: (isPaused: boolean) => void,
): Promise<T> {
  for (const wait of WAITS) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RefusedByServer) || !isPassing(error)) throw error;
      onPause(true);
      await pause(Math.max(wait, error.retryAfter), signal);
      onPause(false);
    }
  }
  return work();
}

/** Temporary errors: no response, too many requests, a concurrent writer, the database unavailable. */
export function isPassing({ status, code }: RefusedByServer): boolean {
  return (
    status === 0 ||
    status === 408 ||
    status === 429 ||
    (status === 409 && code !== "name_taken") ||
    (status >= 500 && status !== 507)
  );
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1_000);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** An upload in parts that was begun for a file. */
export interface BegunUpload {
  path: string;
  existing: OnExisting;
}

interface Sending {
  /** Stays the same when it is sent again: the service stores it once. */
  fileId: string;
  folder: string;
  name: string;
  existing: OnExisting;
  /** The upload that was begun when this file was sent before, if any. */
  begun: BegunUpload | undefined;
  signal: AbortSignal;
  /** Also called after an abort: what had been asked for was begun all the same. */
  onBegun: (begun: BegunUpload) => void;
  /** Called with the number of bytes sent so far. */
  onProgress: (uploaded: number) => void;
}

/**
 * Uploads a file into a folder: a small one in one request, a large one in parts. An interrupted upload is resumed,
 * even if another window began it. Throws a RefusedByServer, an Unreadable, or the signal's reason: who aborts a large
 * upload gives up what was begun.
 */
export async function sendFile(file: File, sending: Sending): Promise<void> {
  const { fileId, folder, name, existing, signal, onProgress } = sending;
  if (file.size <= PART_BYTES)
    return requestServer<void>("PUT", "/files/uploads", {
      query: { id: fileId, folder, name, existing, modified: String(file.lastModified) },
      body: file,
      signal,
      onProgress,
    });
  const { path, ...begun } = (await resumed(sending)) ?? (await begin(file, sending));
  let { received } = begun;
  try {
    while (received < file.size) {
      const offset = received;
      const body = file.slice(offset, offset + PART_BYTES);
      onProgress(offset);
      ({ received } = await requestServer<{ received: number }>("PUT", path, {
        query: { offset: String(offset) },
        body,
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

/** Deletes what the service has of an upload; if that fails, it remains listed as unfinished. */
export async function giveUp({ path }: Pick<BegunUpload, "path">): Promise<void> {
  await requestServer("DELETE", path).catch(() => {});
}

/** How far the upload is that was begun before; undefined if the service must be sent its description again. */
async function resumed({ begun, existing, signal }: Sending) {
  if (begun?.existing !== existing) return undefined;
  try {
    return { path: begun.path, ...(await requestServer<{ received: number }>("GET", begun.path, { signal })) };
  } catch (error) {
    if (error instanceof RefusedByServer && error.status === 404) return undefined;
    throw error;
  }
}

/** Begins an upload, or resumes the one that the service still has of the same file. */
async function begin(file: File, { folder, name, existing, signal, onBegun }: Sending) {
  const announced = { totalBytes: file.size, isText: await isText(file), modified: file.lastModified };
  signal.throwIfAborted();
  const { uploadId, received } = await requestServer<{ uploadId: string; received: number }>("POST", "/files/uploads", {
    body: JSON.stringify({ folder, name, existing, ...announced }),
  });
  const path = `/files/uploads/${uploadId}`;
  onBegun({ path, existing });
  return { path, received };
}

/** A file whose content was read. */
export interface SmallContent {
  /** Stays the same when it is sent again: the service stores it once. */
  fileId: string;
  file: File;
  content: ArrayBuffer;
}

interface SendingTogether {
  folder: string;
  existing: OnExisting;
  signal: AbortSignal;
  /** Called with the number of bytes sent so far, of all contents together. */
  onProgress: (uploaded: number) => void;
}

/** Why one of them was refused, if it was. */
export interface SmallResult {
  error?: string;
  code?: string;
  /** What has the name, if that is why. */
  existing?: EntrySummary;
}

/** Uploads small files into a folder, in one request. Throws a RefusedByServer, or the signal's reason. */
export async function sendTogether(
  files: readonly SmallContent[],
  { folder, existing, signal, onProgress }: SendingTogether,
): Promise<SmallResult[]> {
  const named = files.map(({ fileId, file, content }) => ({
    id: fileId,
    name: file.name,
    size: content.byteLength,
    modified: file.lastModified,
  }));
  const head = new Blob([JSON.stringify({ folder, existing, files: named }), "\n"]);
  const response = await requestServer<{ files: SmallResult[] }>("PUT", "/files/uploads/together", {
    body: new Blob([head, ...files.map(({ content }) => content)]),
    signal,
    onProgress: (uploaded) => onProgress(Math.max(0, uploaded - head.size)),
  });
  return response.files;
}

/** For each of these names, the refusal of a file of that name in a folder, if the folder has something like it. */
export async function compareNames(names: readonly string[], folder: string): Promise<SmallResult[]> {
  const body = JSON.stringify({ folder, names });
  return (await requestServer<{ files: SmallResult[] }>("POST", "/files/uploads/together", { body })).files;
}
