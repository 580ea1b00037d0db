import { expect, test } from "vitest";
import { z } from "zod";
import { readCursor, writeCursor } from "@/lib/platform/cursor";

const position = z.tuple([z.string(), z.int()]);

test("a cursor is read as what was written, in letters of an address", () => {
  const written = writeCursor(["ä?/+", 7]);
  expect(written).toMatch(/^[\w-]+$/);
  expect(readCursor(written, position)).toEqual(["ä?/+", 7]);
});

test.each([
  undefined,
  "",
  "x",
  writeCursor([]),
  writeCursor(["a", 1.5]),
  writeCursor(["a", 1, 2]),
  writeCursor(["a".repeat(4_000), 1]),
  btoa("null"),
])("%s is no position", (text) => expect(readCursor(text, position)).toBeUndefined());
