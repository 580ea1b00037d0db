/** Rows that a sweep removes or changes in one statement, so that other statements need not wait long. */
export const BATCH = 500;

/**
 * Repeats `step`, which handles at most `BATCH` rows and returns their number, until it handles fewer. Returns the
 * total.
 */
export async function inBatches(step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await step();
    sum += count;
    if (count < BATCH) return sum;
  }
}
