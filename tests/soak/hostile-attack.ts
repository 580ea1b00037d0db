import type { Ending } from "./hostile-wire";

/** What the attackers know of the service. Secrets are those of accounts made for them. */
export interface Prey {
  origin: string;
  /** The cookies of a hostile account that has stored a large document, and how many entries that has. */
  hoarder: { cookies: string; entries: number };
  /** The numbers of the actions that they call: by name, one of strangers', and one with a key's data. */
  actions: { remove: string; enter: string; strangers: string; members: string };
}

export interface Attack {
  name: string;
  weight: number;
  /** `network` is one of the attacker's own. */
  run(prey: Prey, network: string): Promise<Ending[]>;
}
