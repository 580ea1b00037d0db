/** A change of a text: `text` instead of its bytes `from` to `to`. */
export interface Splice {
  from: number;
  to: number;
  text: string;
}

/**
 * What becomes of `bytes`, which begin at `offset` of a text that is changed: the same object, where nothing does. What is
 * put in at a place goes with the byte that was there; so pieces of a text can be changed one by one.
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
