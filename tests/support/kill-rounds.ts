import { setTimeout as sleep } from "node:timers/promises";
import { startOperator } from "@/tests/soak/operator";
import { Ledger } from "./ledger";
import { startService, type Target } from "./service";

const LEDGERS = 8;
const CHANGES_BEFORE_KILLING = 30;

/**
 * Changes keys and links programs at full speed, kills the service meanwhile, restarts it, and checks that every
 * acknowledged change is there, and no unrequested one: `rounds` times on one database, each after at least thirty
 * changes. Returns the number of acknowledged changes.
 */
export async function survivesKilling(database: Target["database"], rounds: number): Promise<number> {
  const service = await startService({ lane: "direct", database });
  const operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  try {
    const ledgers = await Promise.all(Array.from({ length: LEDGERS }, () => Ledger.open(service.url, operator)));
    const acknowledged = () => ledgers.reduce((sum, { tally }) => sum + tally.acknowledged, 0);
    for (let round = 1; round <= rounds; round++) {
      const enough = acknowledged() + CHANGES_BEFORE_KILLING;
      let isWorking = true;
      const working = Promise.all(ledgers.map((ledger) => ledger.work(new AbortController().signal, true))).finally(
        () => {
          isWorking = false;
        },
      );
      while (isWorking && acknowledged() < enough) await sleep(5);
      await sleep(Math.random() * 50);
      await service.kill();
      await working;
      await service.restart();
      for (const ledger of ledgers) await ledger.verify();
    }
    return acknowledged();
  } finally {
    operator.stop();
    await service.stop();
  }
}
