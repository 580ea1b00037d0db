import { askServer, Refused } from "./ask-server";
import { isText } from "./is-text";
import { PART_BYTES } from "./part-bytes";

/** What to do where the folder has something of that name. */
export type OnExisting = "refuse" | "keep" | "replace";

interface Sending {
  folder: string;
  name: string;
  existing: OnExisting;
  signal: AbortSignal;
  /** Told how many bytes of the file have arrived or are on their way. */
  onProgress: (sent: number) => void;
}

/**
 * Puts a file into a folder: a small one in one request, a large one in parts. One that broke off goes on where it was, also
 * after the page was loaded again. Throws a Refused, or the signal's reason; a large one that is aborted leaves nothing behind.
 */
export async function sendFile(file: File, sending: Sending): Promise<void> {
  const { folder, name, existing, signal, onProgress } = sending;
  if (file.size <= PART_BYTES) return askServer<void>("PUT", "/files/uploads", { query: { folder, name, existing }, body: file, signal, onProgress });
  const key = `latchkey upload ${JSON.stringify([folder, name, existing, file.size, file.lastModified])}`;
  const path = await begunUpload(key, file, sending);
  try {
    let { received } = await askServer<{ received: number }>("GET", path, { signal });
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
    sessionStorage.removeItem(key);
  } catch (error) {
    const isRefused = error instanceof Refused;
    // What was refused for what it is would be refused again, and what the service has forgotten must be begun anew.
    if (!isRefused || [400, 403, 404, 410].includes(error.status)) sessionStorage.removeItem(key);
    if (!isRefused) await askServer("DELETE", path).catch(() => {});
    throw error;
  }
}

/** The path of the upload that this browser has begun for the file, or begins now. */
async function begunUpload(key: string, file: File, { folder, name, existing, signal }: Sending): Promise<string> {
  const kept = sessionStorage.getItem(key);
  if (kept && (await isKnown(kept, signal))) return kept;
  const body = JSON.stringify({ folder, name, existing, totalBytes: file.size, isText: await isText(file) });
  const { uploadId } = await askServer<{ uploadId: string }>("POST", "/files/uploads", { body, signal });
  const path = `/files/uploads/${uploadId}`;
  sessionStorage.setItem(key, path);
  return path;
}

async function isKnown(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    await askServer("GET", path, { signal });
    return true;
  } catch (error) {
    if (error instanceof Refused && [404, 410].includes(error.status)) return false;
    throw error;
  }
}
