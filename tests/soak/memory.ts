import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MB = 1_000_000;

/** From how long a run on it is said whether memory is flat: before, caches still fill. */
const JUDGED_FROM_MINUTES = 10;
/** What counts as flat: the last quarter of the run over the one before. */
const MOST_GROWTH = { part: 0.05, bytes: 16 * MB };

export interface MemoryVerdict {
  /** Resident bytes of the service, at most and in the middle (median) of each quarter of the run. */
  most: number;
  quarters: number[];
  /** Bytes a minute in the second half, by least squares. */
  slope: number;
  /** Null where the run was too short to say. */
  isFlat: boolean | null;
  sentence: string;
}

/** Notes how much memory a process has resident, every `everyMs`, until it is asked for a verdict. */
export function watchMemory(pid: () => number, everyMs: number): { verdict(): MemoryVerdict } {
  const started = Date.now();
  const samples: { minute: number; bytes: number }[] = [];
  const timer = setInterval(async () => {
    const minute = (Date.now() - started) / 60_000;
    samples.push({ minute, bytes: await residentBytes(pid()) });
  }, everyMs);
  return {
    verdict() {
      clearInterval(timer);
      return judge(samples);
    },
  };
}

/** Says whether memory was flat in the second half of the samples. */
export function judge(samples: { minute: number; bytes: number }[]): MemoryVerdict {
  const part = (from: number, to: number) =>
    samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  const quarters = [0, 0.25, 0.5, 0.75].map((from) => median(part(from, from + 0.25).map(({ bytes }) => bytes)));
  const [, , third = 0, last = 0] = quarters;
  const slope = slopeOf(part(0.5, 1));
  const limit = third + Math.max(MOST_GROWTH.bytes, third * MOST_GROWTH.part);
  const isFlat = (samples.at(-1)?.minute ?? 0) < JUDGED_FROM_MINUTES * 0.95 ? null : last <= limit;
  const figures = `the median of the last quarter is ${inMB(last)}, of the one before ${inMB(third)}`;
  const rule = `flat means: at most ${inMB(limit)}, which is 5 % or 16 MB more, whichever is larger`;
  const word = isFlat === null ? `not judged below ${JUDGED_FROM_MINUTES} minutes` : isFlat ? "flat" : "NOT FLAT";
  return {
    most: Math.max(0, ...samples.map(({ bytes }) => bytes)),
    quarters,
    slope,
    isFlat,
    sentence: `Memory is ${word}: ${figures} (${rule}).`,
  };
}

export const inMB = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function slopeOf(samples: { minute: number; bytes: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
  const [minute, bytes] = [mean(samples.map((sample) => sample.minute)), mean(samples.map((sample) => sample.bytes))];
  const covariance = mean(samples.map((sample) => (sample.minute - minute) * (sample.bytes - bytes)));
  return covariance / (mean(samples.map((sample) => (sample.minute - minute) ** 2)) || 1);
}

/** Bytes of memory that a process has resident. */
export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number(stdout) * 1024;
}
