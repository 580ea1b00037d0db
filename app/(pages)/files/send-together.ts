import type { EntrySummary, OnExisting } from "@/lib/files/schema";
import { askServer } from "./ask-server";

/** A file whose content was read. */
export interface SmallContent {
  /** Stays the same when it is sent again: the service stores it once. */
  fileId: string;
  file: File;
  content: ArrayBuffer;
}

interface Sending {
  folder: string;
  existing: OnExisting;
  signal: AbortSignal;
  /** Called with the number of bytes sent so far, of all contents together. */
  onProgress: (sent: number) => void;
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
  { folder, existing, signal, onProgress }: Sending,
): Promise<SmallResult[]> {
  const named = files.map(({ fileId, file, content }) => ({
    id: fileId,
    name: file.name,
    size: content.byteLength,
    modified: file.lastModified,
  }));
  const head = new Blob([JSON.stringify({ folder, existing, files: named }), "\n"]);
  const answer = await askServer<{ files: SmallResult[] }>("PUT", "/files/uploads/together", {
    body: new Blob([head, ...files.map(({ content }) => content)]),
    signal,
    onProgress: (sent) => onProgress(Math.max(0, sent - head.size)),
  });
  return answer.files;
}

/** A new id for a file: 32 hex digits. Not `randomUUID`, which browsers offer on TLS only. */
export function newFileId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
