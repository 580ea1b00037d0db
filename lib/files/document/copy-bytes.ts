/** Below this length, a loop is faster than creating the view that `set` needs. */
const SHORT = 64;

/** Copies the bytes `from` to `to` of `source` to `at` in `target`. */
export function copyBytes(source: Uint8Array, from: number, to: number, target: Uint8Array, at: number): void {
  if (to - from > SHORT) target.set(source.subarray(from, to), at);
  else for (let i = from; i < to; i++) target[at + i - from] = source[i] ?? 0;
}
