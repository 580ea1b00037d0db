/** A change of a text: `text` replaces its bytes `from` to `to`. */
export interface Splice {
  from: number;
  to: number;
  text: string;
}

/**
 * Applies splices to `bytes`, which begin at `offset` of the changed text. Returns the same object if nothing changes.
 * An insertion belongs to the byte at its position, so the pieces of a text can be changed one by one.
 */
export function spliced(bytes: Buffer, offset: number, splices: readonly Splice[]): Buffer {
  const end = offset + bytes.length;
  const parts: Buffer[] = [];
  let next = offset;
  for (const { from, to, text } of splices) {
    if (from >= end || Math.max(to, from + 1) <= offset) continue;
    parts.push(bytes.subarray(next - offset, Math.max(from, next) - offset));
    if (from >= offset) parts.push(Buffer.from(text));
    next = Math.min(Math.max(to, next), end);
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(next - offset)]);
}
