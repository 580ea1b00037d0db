import { setTimeout as sleep } from "node:timers/promises";
import { residentBytes } from "./machine";
import { median } from "./rounds";
import { seed, startLatchkey } from "./service";

export interface Start {
  /** Seconds from the start of the process to the first response with a database look-up, with an existing build. */
  toFirstResponse: number;
  /** MB of memory some seconds later, without further requests. */
  idleMemoryMB: number;
  /** Seconds for /keys/mine with 10,000 keys, to the last byte. */
  tenThousandKeys: number;
}

const KEYS = 10_000;
const UNTIL_IDLE_MS = 5_000;

/** Measures the start time of the service, its idle use, and the time for the longest list. */
export async function measureStart(starts: number): Promise<Start> {
  // One user created all keys; the other holds them.
  const storage = await seed("sqlite", KEYS, 2);
  const seconds: number[] = [];
  const idle: number[] = [];
  const lists: number[] = [];
  for (let start = 0; start < starts; start++) {
    const started = performance.now();
    const server = await startLatchkey(storage);
    seconds.push((performance.now() - started) / 1000);
    await sleep(start === 0 ? UNTIL_IDLE_MS : 0);
    if (start === 0) idle.push(residentBytes(server.pid) / 1e6);
    const listing = performance.now();
    const keys: unknown[] = await (await fetch(`${server.url}/keys/mine?auth=${storage.keys[0]?.token}`)).json();
    if (keys.length !== KEYS) throw new Error(`/keys/mine answered ${keys.length} keys of ${KEYS}.`);
    lists.push((performance.now() - listing) / 1000);
    await server.stop();
  }
  return {
    toFirstResponse: median(seconds),
    idleMemoryMB: median(idle),
    tenThousandKeys: median(lists),
  };
}
