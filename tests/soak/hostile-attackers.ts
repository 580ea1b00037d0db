import { fork } from "node:child_process";
import { once } from "node:events";
import type { Attackers, Tally } from "./hostile-attackers-process";

/** Starts the attackers. `stop` answers how each attack ended, and how often. */
export function startAttackers(attackers: Attackers): { stop(): Promise<Tally> } {
  const child = fork("tests/soak/hostile-attackers-process.ts", [], { execArgv: ["--import", "tsx"] });
  child.send(attackers);
  return {
    async stop() {
      const told = once(child, "message");
      child.send("stop");
      const [tally] = await told;
      return tally as Tally;
    },
  };
}
