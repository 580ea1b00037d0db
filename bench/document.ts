import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { file, idOf, root, values } from "@/tests/support/documents";

const WORDS = 2_000;
const POOL_BYTES = 1_000_000;
const ENTRY_BYTES = 10_000;

/** Pseudo-random numbers, the same in every run (a linear congruential generator). */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
}

/** Text of random words, which deflates to about a third, as prose does. */
function prose(next: () => number): string {
  const words = Array.from({ length: WORDS }, () =>
    next()
      .toString(36)
      .slice(0, 3 + (next() % 5)),
  );
  let text = "";
  while (text.length < POOL_BYTES) text += `${words[(next() >>> 8) % WORDS]} `;
  return text;
}

/** Writes a user's document of about this many bytes, in files of 10 KB. */
export async function writeDocument(path: string, username: string, bytes: number): Promise<void> {
  const next = numbers();
  const pool = prose(next);
  const count = Math.ceil(bytes / (ENTRY_BYTES + 250));
  async function* text() {
    const children = Array.from({ length: count }, (_, n) => idOf(n + 2));
    yield JSON.stringify(values(root(username, children))).slice(0, -1);
    for (const n of children.keys()) {
      const start = (next() >>> 8) % (POOL_BYTES - ENTRY_BYTES);
      yield `,${JSON.stringify(values(file(username, n + 2, pool.slice(start, start + ENTRY_BYTES)))).slice(1, -1)}`;
    }
    yield "]";
  }
  await pipeline(text, createWriteStream(path, { highWaterMark: 1 << 20 }));
}
