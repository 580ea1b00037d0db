import { ApiError } from "@/lib/errors";

/** Imports at once in one process: each takes some MB, and 16 bytes more for each of its entries. */
const MOST_IMPORTS = 8;
const RETRY_AFTER_SECONDS = 30;

/** Whose documents are being imported, in this process, not in each copy of this module. */
const perProcess = globalThis as typeof globalThis & { latchkeyImporting?: Set<string> };

/**
 * Passes the document on, while no other one of the same user's is imported here and not too many of others' are. Throws 409
 * `import_running`, 503 `too_many_imports`.
 */
export async function* admitted(userId: string, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  perProcess.latchkeyImporting ??= new Set();
  const importing = perProcess.latchkeyImporting;
  const refusal = importing.has(userId) ? importRunning() : importing.size >= MOST_IMPORTS ? tooManyImports() : undefined;
  // Begun, so that it comes to its own end: a request's body is read before it is answered.
  if (refusal) for await (const _ of source) throw refusal;
  if (refusal) throw refusal;
  importing.add(userId);
  try {
    yield* source;
  } finally {
    importing.delete(userId);
  }
}

const importRunning = () =>
  new ApiError(409, "import_running", "Another document of yours is being imported. Nothing was changed; try again when that is done.");
const tooManyImports = () =>
  new ApiError(503, "too_many_imports", "Too many documents are being imported at this moment. Nothing was changed; try again in a minute.", {
    "Retry-After": String(RETRY_AFTER_SECONDS),
  });
