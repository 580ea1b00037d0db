/** Whether this is `npm run test:long`, which sets TEST_SIZE. */
const isLong = process.env.TEST_SIZE === "long";

/** How often, or how much: enough to show a mistake, or `long`, as much as `npm run test:long` takes time for. */
export const sized = (enough: number, long: number): number => (isLong ? long : enough);
