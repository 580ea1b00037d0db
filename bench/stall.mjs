// Loaded before a server's own code (node --import): on SIGUSR2 it writes the longest stall of the event loop since the
// last time, in milliseconds, to STALL_FILE.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

/** The interval of its timer, in milliseconds: shorter stalls are not seen. */
const RESOLUTION_MS = 5;

const file = process.env.STALL_FILE ?? "";
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
process.on("SIGUSR2", () => {
  const stalled = Math.max(0, delay.max / 1e6 - RESOLUTION_MS);
  delay.reset();
  writeFileSync(`${file}.new`, String(stalled));
  renameSync(`${file}.new`, file);
});
