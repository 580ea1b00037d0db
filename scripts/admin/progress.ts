/** Milliseconds before the first line is shown, and between two of them. */
const SOON = 500;
const APART = 100;

/**
 * Runs long work, and shows its progress on standard error. Shows nothing if that is not a terminal or the work is
 * short. The work reports the completed share, from 0 to 1.
 */
export async function withProgress<Result>(
  name: string,
  work: (onProgress: (part: number) => void) => Promise<Result>,
): Promise<Result> {
  let [next, isShown] = [performance.now() + SOON, false];
  try {
    return await work((part) => {
      if (!process.stderr.isTTY || performance.now() < next) return;
      next = performance.now() + APART;
      isShown = true;
      process.stderr.write(`\r${name}: ${Math.floor(Math.min(part, 1) * 100)} %`);
    });
  } finally {
    if (isShown) process.stderr.write("\r\x1b[K");
  }
}
