/** Whether this is `npm run test:all`, which sets TEST_SIZE: each test at its full size, and the heavy files too. */
export const isHeavy = process.env.TEST_SIZE === "heavy";

/** The size of a test: `quick` under `npm test`, `heavy` under `npm run test:all`. */
export const sized = (quick: number, heavy: number): number => (isHeavy ? heavy : quick);
