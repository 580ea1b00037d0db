import { expect, test } from "vitest";
import { bearerToken } from "@/lib/http/bearer";
import { parseQuery } from "@/lib/http/query";

const TOKEN = `lk_${"a".repeat(43)}`;
const tokenOf = (query: string, authorization?: string) =>
  bearerToken(parseQuery(query), new Headers(authorization === undefined ? {} : { authorization }));

test.each([
  ["", `Bearer ${TOKEN}`],
  ["", `bearer   ${TOKEN}  `],
  [`auth=${TOKEN}`, undefined],
  [`auth=${TOKEN}`, `Bearer ${TOKEN}`],
  [`auth=${TOKEN}`, "Basic abc"],
])("%j with %j is the token", (query, authorization) => {
  expect(tokenOf(query, authorization)).toBe(TOKEN);
});

test(
  "a header of blanks is refused at once, however long: its work grows with its length, not with the " + "square of it",
  () => {
    const work = (blanks: number) => {
      const started = performance.now();
      expect(() => tokenOf("", `Bearer a${" ".repeat(blanks)}a`)).toThrow("Invalid");
      return performance.now() - started;
    };
    work(1_000);
    // Squared, a megabyte of blanks would take a quarter of an hour, and the test its time limit.
    expect(work(1_000_000)).toBeGreaterThan(0);
  },
);
