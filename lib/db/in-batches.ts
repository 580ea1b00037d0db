/** Rows that a sweep removes or changes in one statement, so that nobody waits for it. */
export const BATCH = 500;

/** Repeats `step`, which does `BATCH` rows at most and answers how many, until it finds fewer. Answers the sum. */
export async function inBatches(step: () => Promise<number>): Promise<number> {
  for (let sum = 0; ; ) {
    const count = await step();
    sum += count;
    if (count < BATCH) return sum;
  }
}
