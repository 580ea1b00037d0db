import { expect, test } from "vitest";
import { ACTS } from "./acts";
import { soak } from "./run";

test("one minute of everything at once, on SQLite: every answer is one that the contract allows", async () => {
  const { record, memory } = await soak({ minutes: 1, database: "sqlite" });
  expect(record.faults).toEqual([]);
  expect([...record.acts.keys()].sort()).toEqual(ACTS.map(({ name }) => name).sort());
  expect(memory.quarters.every((bytes) => bytes > 0)).toBe(true);
});
