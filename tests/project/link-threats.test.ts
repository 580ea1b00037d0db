import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every test that docs/link-threats.md names exists", () => {
  const named = [...readFileSync("docs/link-threats.md", "utf8").matchAll(/`(tests\/[^`]+)`/g)].map(([, file]) =>
    String(file),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((file) => !existsSync(file))).toEqual([]);
});
