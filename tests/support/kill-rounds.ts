import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { newUserOf } from "./operator";
import { startService, type Target } from "./service";

const LANES = 8;
const CREATES_BEFORE_KILLING = 20;

/**
 * Creates keys as fast as it goes, kills the service in the middle of it, starts it again, and looks whether every create
 * that was answered 200 is there: `rounds` times on one database, each after at least twenty. Answers how many there were.
 */
export async function survivesKilling(database: Target["database"], rounds: number): Promise<number> {
  const service = await startService({ lane: "direct", database });
  try {
    const token = await newUserOf(service, "burst");
    const answered = new Map<string, string>();
    for (let round = 1; round <= rounds; round++) {
      const burst = Array.from({ length: LANES }, (_, lane) => createUntilItFails(service.url, token, `${round}-${lane}`, answered));
      const enough = answered.size + CREATES_BEFORE_KILLING;
      while (answered.size < enough) await sleep(5);
      await sleep(Math.random() * 50);
      await service.kill();
      await Promise.all(burst);
      await service.restart();
      const kept = new Map((await keysOf(service.url, token)).map(({ key, data }) => [key, data]));
      expect([...answered].filter(([key, data]) => kept.get(key) !== data)).toEqual([]);
    }
    return answered.size;
  } finally {
    await service.stop();
  }
}

async function createUntilItFails(url: string, token: string, name: string, answered: Map<string, string>): Promise<void> {
  for (let count = 0; ; count++) {
    const data = `${name}-${count}`;
    try {
      const response = await fetch(`${url}/keys/create?auth=${token}&price=1&data=${data}`);
      const { key } = (await response.json()) as { key: string };
      if (response.status === 200) answered.set(key, data);
    } catch {
      return;
    }
  }
}

async function keysOf(url: string, token: string): Promise<{ key: string; data: string }[]> {
  const response = await fetch(`${url}/keys/mine?auth=${token}`);
  expect(response.status).toBe(200);
  return (await response.json()) as { key: string; data: string }[];
}
