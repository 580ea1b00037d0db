import { expect, test } from "vitest";
import { appliedPreference, preferredWait } from "@/lib/http/prefer";

const { signal } = new AbortController();
const waitOf = (prefer?: string) =>
  preferredWait(new Headers(prefer === undefined ? {} : { Prefer: prefer }), 25, () => signal)?.seconds;

test.each([
  ["wait=1", 1],
  ["wait=25", 25],
  ["wait=26", 25],
  [`wait=${"9".repeat(400)}`, 25],
  ["wait=007", 7],
  ["WAIT=7", 7],
  ['wait="7"', 7],
  ["wait = 7 ; some=thing", 7],
  ["respond-async, wait=7", 7],
  ['a="x, wait=3; \\", wait=4", wait=7', 7],
  ["wait=7, wait=9", 7],
])("%s", (prefer, seconds) => {
  expect(waitOf(prefer)).toBe(seconds);
});

test.each([
  undefined,
  "",
  "wait",
  "wait=",
  "wait=0",
  "wait=-1",
  "wait=1.5",
  "wait=1e1",
  "wait=+1",
  'wait="7',
  "wait=seven",
  "await=7",
  "waiting=7",
  "wait, wait=7",
  "x wait=7",
  `${"x,".repeat(600)}wait=7`,
])("%s is no wish", (prefer) => {
  expect(waitOf(prefer)).toBeUndefined();
});

test("many headers are one", () => {
  const headers = new Headers([
    ["Prefer", "respond-async"],
    ["Prefer", "wait=7"],
  ]);
  expect(preferredWait(headers, 25, () => signal)?.seconds).toBe(7);
});

test("a wish that was not honoured is not said to be", () => {
  const wait = { seconds: 7, gone: signal, isHonoured: false };
  expect([appliedPreference(null), appliedPreference(wait)]).toEqual([{}, {}]);
  expect(appliedPreference({ ...wait, isHonoured: true })).toEqual({ "Preference-Applied": "wait=7" });
});
