import type { OnExisting } from "@/lib/files/schema";
import { PART_BYTES } from "@/lib/files/schema";
import { askServer, RefusedByServer } from "./ask-server";
import { isText } from "./is-text";

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
  /** The upload that was begun when this file was sent before, if it was. */
  begun: BegunUpload | undefined;
  signal: AbortSignal;
  onBegun: (begun: BegunUpload) => void;
  /** Called with the number of bytes sent so far. */
  onProgress: (sent: number) => void;
}

/**
 * Uploads a file into a folder: a small one in one request, a large one in parts. An interrupted upload is resumed,
 * even if another window began it. Throws a RefusedByServer, an Unreadable, or the signal's reason; an aborted large
 * upload leaves nothing behind.
 */
export async function sendFile(file: File, sending: Sending): Promise<void> {
  const { fileId, folder, name, existing, signal, onProgress } = sending;
  if (file.size <= PART_BYTES)
    return askServer<void>("PUT", "/files/uploads", {
      query: { id: fileId, folder, name, existing, modified: String(file.lastModified) },
      body: file,
      signal,
      onProgress,
    });
  const { path, ...begun } = (await goneOn(sending)) ?? (await begin(file, sending));
  let { received } = begun;
  try {
    while (received < file.size) {
      const offset = received;
      const body = file.slice(offset, offset + PART_BYTES);
      onProgress(offset);
      ({ received } = await askServer<{ received: number }>("PUT", path, {
        query: { offset: String(offset) },
        body,
        signal,
        onProgress: (sent) => onProgress(offset + sent),
      }));
    }
    await askServer("POST", path, { signal });
  } catch (error) {
    // Cancelled, unreadable, or refused for its content, which would be refused again.
    if (!(error instanceof RefusedByServer) || error.status === 400) await askServer("DELETE", path).catch(() => {});
    throw error;
  }
}

/** How far the upload is that was begun before; undefined if the service must be told of the file again. */
async function goneOn({ begun, existing, signal }: Sending) {
  if (begun?.existing !== existing) return undefined;
  try {
    return { path: begun.path, ...(await askServer<{ received: number }>("GET", begun.path, { signal })) };
  } catch (error) {
    if (error instanceof RefusedByServer && error.status === 404) return undefined;
    throw error;
  }
}

/** Begins an upload, or resumes the one that the service has kept of the same file. */
async function begin(file: File, { folder, name, existing, signal, onBegun }: Sending) {
  const announced = { totalBytes: file.size, isText: await isText(file), modified: file.lastModified };
  const { uploadId, received } = await askServer<{ uploadId: string; received: number }>("POST", "/files/uploads", {
    body: JSON.stringify({ folder, name, existing, ...announced }),
    signal,
  });
  const path = `/files/uploads/${uploadId}`;
  onBegun({ path, existing });
  return { path, received };
}
