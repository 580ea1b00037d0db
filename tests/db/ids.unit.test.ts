import { expect, test } from "vitest";
import { newId, newOrderedId } from "@/lib/ids";

const FORM = /^[0-9a-f]{32}$/;
const times = [0, 1, 15, 16, 1_790_000_000_000, 1_790_000_000_001, 1_790_000_000_256, 2 ** 48 - 1];

test("ordered ids have the form of all ids, and the order of their times", () => {
  const ids = times.map((time) => newOrderedId(new Date(time)));
  expect(ids.filter((id) => !FORM.test(id))).toEqual([]);
  expect(ids.toSorted()).toEqual(ids);
  expect(newId()).toMatch(FORM);
});

test("ordered ids of one moment differ", () => {
  const moment = new Date();
  expect(new Set(Array.from({ length: 1_000 }, () => newOrderedId(moment))).size).toBe(1_000);
});
