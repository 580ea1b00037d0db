import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MB = 1_000_000;
const EVERY_MS = 500;

/** From how long a run on it is said whether memory is flat: before, caches still fill. */
const JUDGED_FROM_MINUTES = 10;
/** What counts as flat: the last quarter of the run over the one before. */
const MOST_GROWTH = { part: 0.05, bytes: 16 * MB };

/** Notes how much memory a process has resident, until it is asked whether that was flat. */
export function watchMemory(pid: number): { isFlat(): boolean | null } {
  const started = Date.now();
  const samples: { minute: number; bytes: number }[] = [];
  const timer = setInterval(async () => {
    const minute = (Date.now() - started) / 60_000;
    samples.push({ minute, bytes: await residentBytes(pid) });
  }, EVERY_MS);
  return {
    isFlat() {
      clearInterval(timer);
      return isFlat(samples);
    },
  };
}

/** Whether memory was flat in the second half of the samples; null where they are too few to say. */
export function isFlat(samples: { minute: number; bytes: number }[]): boolean | null {
  if ((samples.at(-1)?.minute ?? 0) < JUDGED_FROM_MINUTES * 0.95) return null;
  const quarter = (n: number) => samples.slice((samples.length * n) / 4, (samples.length * (n + 1)) / 4);
  const [third = 0, last = 0] = [quarter(2), quarter(3)].map((part) => median(part.map(({ bytes }) => bytes)));
  return last <= third + Math.max(MOST_GROWTH.bytes, third * MOST_GROWTH.part);
}

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Bytes of memory that a process has resident. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1024;
}
