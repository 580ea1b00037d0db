import { expect, test } from "vitest";
import { csvLine, fieldValue, jsonField } from "@/lib/csv";
import { readNames } from "@/lib/keys/add-many";

/** A value, and what a reader that knows quotes gets. */
const FIELDS: [string, string][] = [
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-cmd|' /C calc'!A0", "'-cmd|' /C calc'!A0"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["|calc", "'|calc"],
  // In other widths and forms.
  ["＝1", "'＝1"],
  ["＋1", "'＋1"],
  ["－1", "'－1"],
  ["＠SUM(A1)", "'＠SUM(A1)"],
  ["﹦1", "'﹦1"],
  ["−1", "'−1"],
  // After blanks and what nobody sees.
  [" =1", " '=1"],
  ["\t=1", "\t'=1"],
  ["\r=1", "\r'=1"],
  ["\u00a0=1", "\u00a0'=1"],
  ["\u3000＝1", "\u3000'＝1"],
  ["\u200b=1", "\u200b'=1"],
  ["\ufeff=1", "\ufeff'=1"],
  ["\u2060\u202e\u0000=1", "\u2060\u202e\u0000'=1"],
  ["\u3164=1", "\u3164'=1"],
  ['"=1', "\"'=1"],
  // For readers that split elsewhere.
  ["a;=1+1", "a;'=1+1"],
  ["a; \u00a0@x", "a; \u00a0'@x"],
  ["a\t-1+1", "a\t'-1+1"],
  ["a|=1", "a|'=1"],
  ["a,=1", "a,'=1"],
  ["a\n=1", "a\n'=1"],
  ["a\r\n\r\n＝1", "a\r\n\r\n'＝1"],
  ["a\u2028=1", "a\u2028'=1"],
  ["a =1+1", "a '=1+1"],
  ['a"=1', "a\"'=1"],
  ["a;=1;=2", "a;'=1;'=2"],
  // An apostrophe of its own stays one.
  ["'=1", "''=1"],
  ["a;''=1", "a;'''=1"],
  // Numbers and texts.
  ["-5", "-5"],
  ["-0.25", "-0.25"],
  ["15", "15"],
  ["-5-5", "'-5-5"],
  ["+5", "'+5"],
  ["a - b", "a - b"],
  ["a=b", "a=b"],
  ["O'Brien", "O'Brien"],
  ["me@example.org", "me@example.org"],
  ["2026-11-25T10:00:00.000Z", "2026-11-25T10:00:00.000Z"],
  ["", ""],
];

/** One field, as RFC 4180 reads it. */
const read = (line: string) =>
  line.replace(/\r\n$/, "").replace(/^"([\s\S]*)"$/, (_, text) => text.replaceAll('""', '"'));

test.each(FIELDS)("the value %j is the field %j, and read back the value", (value, field) => {
  expect(read(csvLine([value]))).toBe(field);
  expect(fieldValue(field)).toBe(value);
});

test("a field that any reader could split is in quotes", () => {
  expect(csvLine(["a;b", "a\tb", "a|b", "a b", "-5"])).toBe('"a;b","a\tb","a|b",a b,-5\r\n');
});

test("JSON in a field stays the JSON of its value, without an apostrophe", () => {
  const value = {
    "=a": "=1",
    agent: "Robot (+https://example.org; -x)",
    at: "2026-11-25",
    n: -5,
    list: ["\n＝1", "\\=1"],
  };
  const json = jsonField(value);
  expect(JSON.parse(json)).toEqual(value);
  expect(read(csvLine([json]))).toBe(json);
  expect(json).toContain('"2026-11-25"');
});

test("names of a file that we wrote are read as they were", () => {
  const names = ["-bob", "--x", "alice", "_o-o", "-55"];
  expect(readNames(names.map((name) => csvLine([name, "more"])).join(""))).toEqual(names);
});
