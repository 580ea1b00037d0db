import { partTooLarge } from "@/lib/files/errors";
import { PART_BYTES } from "@/lib/files/schema";

/** The body's bytes. Throws 413 `body_too_large` for more than `PART_BYTES`. */
export async function readPart(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bodyOf(request)) {
    length += part.length;
    if (length > PART_BYTES) throw partTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/**
 * The body as it arrives, with backpressure: the client sends no faster than this is read. If the consumer stops early,
 * the rest is read and discarded: a browser that is still sending does not read the response.
 */
export async function* bodyOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await exhaust(reader);
  }
}

async function exhaust(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The client has disconnected.
  }
}
