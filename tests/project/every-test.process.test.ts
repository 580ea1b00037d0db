import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { relative } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";

const listed = z.array(z.object({ file: z.string() }));

test("every test file belongs to a project", async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "list", "--filesOnly", "--json"],
    { env: { ...process.env, TEST_SIZE: "heavy" } },
  );
  const run = new Set(listed.parse(JSON.parse(stdout)).map(({ file }) => relative("tests", file)));
  const files = readdirSync("tests", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.ts"));
  expect(files.filter((file) => !run.has(file))).toEqual([]);
});
