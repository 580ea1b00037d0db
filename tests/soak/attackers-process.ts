// A process of its own, so that its work does not delay who measures: so many hostile clients, each always busy. Its
// parent sends one Attackers, and gets the Tally when it says so.
import { setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { newNetwork } from "@/tests/support/request";
import { ATTACKS, type Prey } from "./attacks";
import { anyOf, dealer } from "./household";

export interface Attackers {
  prey: Prey;
  clients: number;
}

/** How often each attack ended how. */
export type Tally = Record<string, Record<string, number>>;

const NETWORKS_OF_CLIENT = 4;
/** Elsewhere they have machines of their own. */
const BEHIND_THE_SERVICE = 10;

setPriority(BEHIND_THE_SERVICE);
const tally: Tally = {};
const deal = dealer(ATTACKS);

async function attack(prey: Prey): Promise<never> {
  const networks = Array.from({ length: NETWORKS_OF_CLIENT }, () => newNetwork().id);
  for (;;) {
    const { name, run } = deal();
    const failed = (error: NodeJS.ErrnoException) => [error.code ?? String(error)];
    const endings: (string | number)[] = await run(prey, anyOf(networks)).catch(failed);
    tally[name] ??= {};
    const counts = tally[name];
    for (const ending of endings) counts[ending] = (counts[ending] ?? 0) + 1;
    // Where the service is away, that is not to be all that this process does.
    if (endings.includes("ECONNREFUSED")) await sleep(100);
  }
}

process.on("message", (order: Attackers | "stop") => {
  if (order === "stop") process.send?.(tally, () => process.exit(0));
  else for (let client = 0; client < order.clients; client++) void attack(order.prey);
});
process.on("disconnect", () => process.exit(0));
