import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";

/** Ticks of the kernel's clock per second: the unit of processor time in /proc (proc(5)). */
const TICKS = 100;

/** Seconds of processor time used by a process with all its threads; NaN if /proc does not say. */
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

/** Bytes of a process's resident memory; NaN if /proc does not say. */
export function residentBytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;
  } catch {
    return Number.NaN;
  }
}

/** The machine that the figures were measured on, in words. */
export function machine(): string {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const { platform, versions } = process;
  return `${cpus().length} cores (${cpu?.model ?? "unknown"}), ${memory} GB, ${platform}, Node ${versions.node}`;
}

/** The commit of the sources, and whether they differ from it. */
export function commit(): string {
  const git = (...parameters: string[]) => execFileSync("git", parameters, { encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--", ":!docs/benchmark.*") !== "";
  return git("rev-parse", "--short", "HEAD") + (isChanged ? " with changes" : "");
}

/** The average number of runnable processes in the last minute, including others'. */
export const load = () => Math.round((loadavg()[0] ?? 0) * 100) / 100;
