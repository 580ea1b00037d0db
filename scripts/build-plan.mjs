// How a build fits into the memory that there is.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** What a compiler on two processors takes (1.4 GB), and each process that makes pages beside it (measured). */
const [COMPILER_BYTES, WORKER_BYTES] = [1_400_000_000, 200_000_000];

/**
 * `isSmall`: on one processor, and the pages after the compiler has ended, which takes twice as long and fits into
 * 1 GB. `workers`: how many processes make pages.
 */
export function planBuild(bytes, processors) {
  const workers = Math.floor((bytes - COMPILER_BYTES) / WORKER_BYTES);
  return { isSmall: workers < 1, workers: Math.max(1, Math.min(workers, processors)) };
}

/** The programs of Next that build, in turn: each with its parameters and variables. */
export function stepsOf({ isSmall, workers }, environment = process.env) {
  const next = [process.execPath, "node_modules/next/dist/bin/next", "build"];
  const variables = { BUILD_WORKERS: String(workers) };
  if (!isSmall) return [{ command: next, variables }];
  const small = {
    ...variables,
    NODE_OPTIONS: `${environment.NODE_OPTIONS ?? ""} --max-old-space-size=256`.trim(),
    // The compiler's memory goes back to the system at once.
    MIMALLOC_PURGE_DELAY: "0",
  };
  return ["compile", "generate"].map((mode) => ({
    command: [...onOneProcessor(), ...next, "--experimental-build-mode", mode],
    variables: small,
  }));
}

/** The compiler uses as many threads and processes as it may use processors, each with memory of its own. */
function onOneProcessor() {
  if (process.platform !== "linux") return [];
  const [, first] = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  const command = ["taskset", "-c", first ?? "0"];
  return spawnSync(command[0], [...command.slice(1), "true"]).status === 0 ? command : [];
}

/** Whether a program that ended like this, or one that it started, was ended for lack of memory. */
export function lacksMemory(code, signal, printed) {
  return signal === "SIGKILL" || code === 137 || /SIGKILL|heap out of memory|Cannot allocate memory/.test(printed);
}

/** What to do then. */
export const MEMORY_ADVICE =
  "Most likely memory ran out: a build needs 1 GB. Free some, add swap, or run npm run build on a larger machine " +
  "with the same major version of Node.js and system, and bring .builds along.";
