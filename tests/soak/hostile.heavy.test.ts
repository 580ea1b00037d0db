import { expect, test } from "vitest";
import { hostileSoak } from "./hostile";
import { ATTACKS } from "./hostile-attacks";

test("twenty seconds of every attack, 64 at a time: nobody else is refused, and nothing fails", async () => {
  const { record, tally, isAlive } = await hostileSoak({ minutes: 1 / 3, database: "sqlite", entries: 10_000 });
  expect(record.faults).toEqual([]);
  expect(isAlive).toBe(true);
  expect(record.answers).toBeGreaterThan(0);
  const refusedConnections = Object.entries(tally).filter(([, endings]) => "ECONNREFUSED" in endings);
  expect(refusedConnections).toEqual([]);
  expect(ATTACKS.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(tally)));
});
