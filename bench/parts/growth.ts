import { setTimeout as sleep } from "node:timers/promises";
import { residentBytes } from "../machine";
import { ask, type Contender, median, rounded } from "../rounds";
import { seed, startLatchkey } from "../service";
import { startFloor } from "./rows";

/** Reading a key in a database with this many keys and users. */
export interface Growth {
  keys: number;
  requestsPerSecond: number;
  p50: number;
  /** The bare server's p50 on the same rows: the database's share of the growth. */
  floorP50: number;
  idleMemoryMB: number;
  loadedMemoryMB: number;
}

const CONNECTIONS = 32;
const UNTIL_IDLE_MS = 3_000;

/** Measures how reading a key slows down with the number of keys and users, and its memory. The sizes take turns. */
export async function measureGrowth(sizes: number[], rounds: number, seconds: number): Promise<Growth[]> {
  const measured = [];
  for (const keys of sizes) {
    const storage = await seed("sqlite", keys, keys);
    const [server, floor] = [await startLatchkey(storage), await startFloor(storage)];
    await sleep(UNTIL_IDLE_MS);
    const idle = residentBytes(server.pid);
    const contender = (
      name: string,
      kind: Contender["kind"],
      at: typeof server,
      query: (key: (typeof storage.keys)[number]) => string,
    ): Contender => ({
      name,
      kind,
      server: at,
      requests: storage.keys.map((key) => ({ path: `/keys/get/${key.id}?${query(key)}` })),
      status: 200,
    });
    const ours = contender(`Latchkey with ${keys} keys`, "ours", server, (key) => `auth=${key.token}`);
    const bare = contender(`node:http with ${keys} keys`, "floor", floor, (key) => `hash=${key.tokenHash}`);
    measured.push({ keys, idle, ours, bare, rates: [] as number[], p50s: [] as number[], floorP50s: [] as number[] });
    for (const warm of [ours, bare]) await ask(warm, CONNECTIONS, seconds);
  }
  for (let round = 0; round < rounds; round++)
    for (const { ours, bare, rates, p50s, floorP50s } of measured) {
      const { requestsPerSecond, p50 } = await ask(ours, CONNECTIONS, seconds);
      rates.push(requestsPerSecond);
      p50s.push(p50);
      floorP50s.push((await ask(bare, CONNECTIONS, seconds)).p50);
    }
  const growth = measured.map(({ keys, idle, ours, rates, p50s, floorP50s }) => ({
    keys,
    requestsPerSecond: Math.round(median(rates)),
    p50: rounded(median(p50s)),
    floorP50: rounded(median(floorP50s)),
    idleMemoryMB: Math.round(idle / 1e6),
    loadedMemoryMB: Math.round(residentBytes(ours.server.pid) / 1e6),
  }));
  await Promise.all(measured.flatMap(({ ours, bare }) => [ours.server.stop(), bare.server.stop()]));
  return growth;
}
