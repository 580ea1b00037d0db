import { ApiError } from "@/lib/errors";
import { PART_BYTES } from "./part-bytes";

/** The body's bytes. Throws 413 `body_too_large` where there are more than `PART_BYTES`. */
export async function readPart(request: Request): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of bodyOf(request)) {
    length += part.length;
    if (length > PART_BYTES) throw new ApiError(413, "body_too_large", `A part of an upload may have ${PART_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

/**
 * The body as it arrives; the client sends no faster than this is read. Where it is not wanted to its end, the rest is read and
 * thrown away: a browser that is still sending does not hear why it was refused.
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
    // The client went away, and hears nothing.
  }
}
