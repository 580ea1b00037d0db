import { type Sweep, sweeps } from "@/lib/operator/sweep";
import { SWEEP_EVERY_MS } from "@/lib/platform/bounds";
import { emptyWriteAheadLog } from "@/lib/platform/db/free-space";
import { isFormatOutdated } from "@/lib/platform/db/ready";
import { evenOnFullDisk, fillReserve } from "@/lib/platform/db/reserve";
import { log } from "@/lib/platform/log";

/** What else is done as often, for the room on the disk. */
const disk = {
  writeAheadLog: { run: emptyWriteAheadLog },
  reserve: { run: () => fillReserve(), atStart: true },
};

/**
 * Runs the sweeps in the background, every five minutes, and those that an upgrade needs immediately, too, as space is
 * reserved. Does not keep the process alive.
 */
export function startSweeps(): void {
  for (const [name, sweep] of Object.entries<Sweep<unknown>>({ ...sweeps, ...disk })) {
    let running = false;
    const run = async () => {
      if (running) return;
      running = true;
      try {
        if (!(await isFormatOutdated())) await evenOnFullDisk(() => sweep.run(new Date(), Number.POSITIVE_INFINITY));
      } catch (error) {
        log.error({ err: error, sweep: name }, "a sweep failed; the next one tries again");
      } finally {
        running = false;
      }
    };
    setInterval(run, SWEEP_EVERY_MS).unref();
    if (sweep.atStart) void run();
  }
}
