import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sourceFiles } from "@/tests/support/imports";
import { OURS } from "./ours";

/**
 * What cannot be broken: an import, the blank behind a line of JSX, and the matcher of proxy.ts, which Next reads from
 * its text.
 */
const UNBREAKABLE = /^import .* from "[^"]+";$|\{" "\}$|^ {4}"\/\(\(\?!/;

test("no line of code is longer than 120 characters", () => {
  const long = [...OURS, ...sourceFiles("tests", "bench", "examples")].flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .flatMap((line, index) => ([...line].length > 120 && !UNBREAKABLE.test(line) ? [`${path}:${index + 1}`] : [])),
  );
  expect(long).toEqual([]);
});
