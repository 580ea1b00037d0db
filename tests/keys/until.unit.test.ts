import { expect, test } from "vitest";
import { until } from "@/lib/keys/until";

const read = (sent: string) => {
  const parsed = until.safeParse(sent);
  return parsed.success ? parsed.data : parsed.error.issues[0]?.message;
};
const at = (iso: string) => new Date(iso);
const FORM = "must be Unix seconds, or ISO 8601 with a time zone, or never";
const YEAR = "must be before the year 10000. Unix times are in seconds here, not in milliseconds";

test.each([
  ["4102444800", at("2100-01-01T00:00:00Z")],
  ["2100-01-01T00:00:00Z", at("2100-01-01T00:00:00Z")],
  ["2100-01-01T02:00:00+02:00", at("2100-01-01T00:00:00Z")],
  ["2099-12-31T19:00:00-0500", at("2100-01-01T00:00:00Z")],
  ["2100-01-01T00:00:07.999Z", at("2100-01-01T00:00:07Z")],
  ["2100-01-01T00:00:07,123456789Z", at("2100-01-01T00:00:07Z")],
  ["2100-01-01T00:00Z", at("2100-01-01T00:00:00Z")],
  ["253402300799", at("9999-12-31T23:59:59Z")],
  ["2096-02-29T00:00:00Z", at("2096-02-29T00:00:00Z")],
  ["never", "never"],
])("%s is an end", (sent, end) => expect(read(sent)).toEqual(end));

test.each([
  "",
  "tomorrow",
  "Never",
  "-1",
  "1e9",
  "4102444800.5",
  " 4102444800",
  "2100-01-01",
  "2100-01-01T00:00:00",
  "2100-01-01 00:00:00Z",
  "2100-02-30T00:00:00Z",
  "2100-02-29T00:00:00Z",
  "2100-13-01T00:00:00Z",
  "2100-01-01T24:00:00Z",
  "2100-01-01T25:00:00Z",
  "2100-01-01T00:00:00+99:00",
  "+012100-01-01T00:00:00Z",
  "9".repeat(16),
])("%j is none", (sent) => expect(read(sent)).toBe(FORM));

test.each(["4102444800000", "253402300800", "999999999999999", "9999-12-31T23:59:59-01:00"])("%s is too late", (sent) =>
  expect(read(sent)).toBe(YEAR),
);

test.each(["0", "1", "2001-09-09T01:46:40Z", String(Math.floor(Date.now() / 1000))])("%s is over", (sent) =>
  expect(read(sent)).toBe("must be in the future"),
);
