import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** Ticks of the kernel's clock in a second: what /proc counts processor time in (proc(5)). */
const TICKS = 100;

/** Seconds of processor time that a process has used, all threads together; NaN where /proc does not say. */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}

/** Bytes of memory that a process has resident; NaN where /proc does not say. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** What the figures were measured on. */
export function machine() {
  const [cpu] = cpus();
  return { cpu: cpu?.model ?? "unknown", cores: cpus().length, memoryGB: Math.round(totalmem() / 2 ** 30), node: process.version, system: process.platform };
}

/** How many processes wanted to run in the last minute, others' included. */
export const load = () => Math.round((loadavg()[0] ?? 0) * 100) / 100;
