import { sweepDeletions } from "@/lib/account/delete";
import { sweepSessions } from "@/lib/auth/sessions";
import { sweepFiles } from "@/lib/files/sweep";
import { sweepLinks } from "@/lib/link/sweep";
import { log } from "@/lib/log";

const EVERY_MS = 5 * 60_000;

/** Removes in the background what has outlived its use, every five minutes. Does not keep the process alive. */
export function startSweeps(): void {
  for (const sweep of [sweepLinks, sweepFiles, sweepSessions, sweepDeletions]) {
    let running = false;
    const run = async () => {
      if (running) return;
      running = true;
      try {
        await sweep(new Date());
      } catch (error) {
        log.error({ err: error, sweep: sweep.name }, "a sweep failed; the next one tries again");
      } finally {
        running = false;
      }
    };
    setInterval(run, EVERY_MS).unref();
  }
}
