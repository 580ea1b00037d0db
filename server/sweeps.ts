import { sweepSealing, sweeps } from "@/lib/operator/sweep";
import { SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { emptyWriteAheadLog } from "@/lib/platform/db/free-space";
import { isFormatOutdated } from "@/lib/platform/db/ready";
import { evenOnFullDisk, fillReserve } from "@/lib/platform/db/reserve";
import { log } from "@/lib/platform/log";

const makeReserve = () => fillReserve();

/**
 * Runs the sweeps in the background, every five minutes, and those that an upgrade needs immediately, too, as space is
 * reserved. Does not keep the process alive.
 */
export function startSweeps(): void {
  for (const sweep of [...Object.values(sweeps), emptyWriteAheadLog, makeReserve]) {
    let running = false;
    const run = async () => {
      if (running) return;
      running = true;
      try {
        if (!(await isFormatOutdated())) await evenOnFullDisk<unknown>(() => sweep(new Date()));
      } catch (error) {
        log.error({ err: error, sweep: sweep.name }, "a sweep failed; the next one tries again");
      } finally {
        running = false;
      }
    };
    setInterval(run, SWEEP_EVERY_MS).unref();
    if (sweep === sweepSealing || sweep === sweeps.keyNames || sweep === makeReserve) void run();
  }
}
