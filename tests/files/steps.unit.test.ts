import { afterEach, expect, test, vi } from "vitest";
import { inSlices, scanEntries } from "@/lib/files/change/scan-pieces";
import { MOST } from "@/lib/files/pieces/cutter";
import { idOf, wildEntry } from "../support/documents";

const MOST_BYTES = 8 * 1024;

/** A clock by which ten milliseconds pass between any two looks at it: whoever looks lets others have their turn. */
function slowClock() {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 10;
    return now;
  });
}

afterEach(() => void vi.restoreAllMocks());

/** How many turns of the event loop `work` leaves to others. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  slowClock();
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test("a full piece of the smallest entries is scanned in steps of 8 KB", async () => {
  const entry = (n: number) => `,${JSON.stringify(wildEntry(".txt", "", "o", "", idOf(n))).slice(1, -1)}`;
  const text = Buffer.from(Array.from({ length: 3_000 }, (_, n) => entry(n)).join("")).subarray(0, MOST);
  const whole = text.subarray(0, text.lastIndexOf(',".txt"'));
  const found: unknown[] = [];
  const turns = await turnsOf(async () => found.push(...(await scanEntries(whole))));
  expect(found).toHaveLength(whole.toString().split('".txt"').length - 1);
  // Of two looks at the clock, the first begins the turn.
  expect(turns).toBeGreaterThanOrEqual(Math.floor(whole.length / (2 * MOST_BYTES)));
});

test("no slice of a text is longer than 8 KB, and together they are the text", async () => {
  const text = Buffer.alloc(100_001, "text");
  const slices: Uint8Array[] = [];
  for await (const slice of inSlices(text)) slices.push(slice);
  expect(Math.max(...slices.map(({ length }) => length))).toBe(MOST_BYTES);
  expect(Buffer.concat(slices).equals(text)).toBe(true);
});
