import { describe, expect, test } from "vitest";
import { bearerToken } from "@/lib/api/endpoint";
import { appliedPreference, preferredWait } from "@/lib/platform/http/headers";
import { parseQuery } from "@/lib/platform/http/query";

test("a header of blanks is no token, and is refused at once, however long", () => {
  // If the work grew with the square of its length, this would take a quarter of an hour.
  const headers = new Headers({ authorization: `Bearer a${" ".repeat(1_000_000)}a` });
  expect(() => bearerToken(parseQuery(""), headers)).toThrow("Invalid");
});

describe("Prefer", () => {
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
    ...'wait|wait=|wait=0|wait=-1|wait=1.5|wait=1e1|wait=+1|wait="7|wait=seven'.split("|"),
    ...["await=7", "waiting=7", "wait, wait=7", "x wait=7", `${"x,".repeat(600)}wait=7`],
  ])("%s is no wish", (prefer) => {
    expect(waitOf(prefer)).toBeUndefined();
  });

  test("that is sent twice is one", () => {
    const sent: [string, string][] = ["respond-async", "wait=7"].map((wish) => ["Prefer", wish]);
    expect(preferredWait(new Headers(sent), 25, () => signal)?.seconds).toBe(7);
  });

  test("is not said to be honoured where it was not", () => {
    const wait = { seconds: 7, signal, isHonoured: false };
    expect([appliedPreference(null), appliedPreference(wait)]).toEqual([{}, {}]);
    expect(appliedPreference({ ...wait, isHonoured: true })).toEqual({ "Preference-Applied": "wait=7" });
  });
});
