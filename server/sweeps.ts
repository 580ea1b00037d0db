import { sweepSealing, sweeps } from "@/lib/account/sweep";
import { isFormatOutdated } from "@/lib/db/format";
import { evenOnFullDisk, fillReserve } from "@/lib/db/reserve";
import { emptyWriteAheadLog } from "@/lib/db/write-ahead-log";
import { log } from "@/lib/log";
import { SWEEP_EVERY_MS } from "@/lib/stated-bounds";

const makeReserve = () => fillReserve();

/**
 * Runs the sweeps in the background, every five minutes, and the one that seals immediately, too, as room is reserved.
 * Does not keep the process alive.
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
    if (sweep === sweepSealing || sweep === makeReserve) void run();
  }
}
