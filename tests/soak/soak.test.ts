import { expect, test } from "vitest";
import { sized } from "@/tests/support/size";
import { ACTS } from "./acts";
import { isFlat, type Record } from "./client";
import { hostileSoak, soak } from "./run";

const MB = 1_000_000;
const TIMES = sized(1, 20);
/** In a long run memory is judged, too. */
const LEAST_MINUTES = sized(0, 15);
const MINUTES_UNDER_ATTACK = sized(3, 600) / 60;
const HOUSEHOLDS = sized(4, 12);
/** Other tests may use all of this machine meanwhile. A long run waits as long as by default. */
const DATABASE_TIMEOUT_SECONDS = String(sized(60, 5));
const ENTRIES = sized(2_000, 100_000);

const DATABASES = (["sqlite", "postgresql"] as const).slice(0, sized(1, 2));

test.each(DATABASES)("everything at once, on %s: every answer is one that the contract allows", async (database) => {
  const isOver = (minutes: number, { acts, faultCount }: Record) =>
    faultCount > 0 || (minutes >= LEAST_MINUTES && ACTS.every(({ name }) => (acts.get(name) ?? 0) >= TIMES));
  const soaked = await soak({
    database,
    isOver,
    households: HOUSEHOLDS,
    variables: { DATABASE_TIMEOUT_SECONDS },
  });
  expect(soaked.record.faults).toEqual([]);
  expect(soaked.isFlat).toBe(LEAST_MINUTES > 0 ? true : null);
});

test("every attack, 64 at a time: nobody else is refused, and nothing fails", async () => {
  const isOver = (minutes: number) => minutes > MINUTES_UNDER_ATTACK;
  const { record, tally, isAlive, ...attacked } = await hostileSoak({ database: "sqlite", isOver, entries: ENTRIES });
  expect(record.faults).toEqual([]);
  expect([isAlive, attacked.isFlat]).toEqual([true, MINUTES_UNDER_ATTACK > 1 ? true : null]);
  expect(record.answers).toBeGreaterThan(0);
  expect(Object.values(tally).filter((endings) => "ECONNREFUSED" in endings)).toEqual([]);
});

const over = (minutes: number, bytes: (minute: number) => number) =>
  Array.from({ length: minutes * 60 }, (_, second) => ({ minute: (second + 1) / 60, bytes: bytes((second + 1) / 60) }));

test("memory that grows at first and then stays is flat; memory that keeps growing is not", () => {
  expect(isFlat(over(20, (minute) => 200 * MB + Math.min(minute, 8) * 10 * MB))).toBe(true);
  expect(isFlat(over(20, (minute) => 200 * MB + minute * 5 * MB))).toBe(false);
  expect(isFlat(over(1, () => 200 * MB))).toBeNull();
});
