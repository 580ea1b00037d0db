import type { z } from "zod";

/** Longer than any: a name of 200 characters, escaped and encoded. */
const MAX_CURSOR = 4_000;

/** A position in an ordered list, for an address. */
export function writeCursor(position: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(position)).toString("base64url");
}

/** The same, read back. Undefined for anything that is no such position, which means the first page. */
export function readCursor<T>(text: string | undefined, position: z.ZodType<T>): T | undefined {
  if (text === undefined || text.length > MAX_CURSOR) return undefined;
  try {
    return position.safeParse(JSON.parse(Buffer.from(text, "base64url").toString())).data;
  } catch {
    return undefined;
  }
}
