import { expect, test } from "vitest";
import { exportedNames, sourceFiles } from "@/tests/support/imports";

/** What Next looks for by name, and what two pages call what each does to its own things. */
const SAID_BY_THEIR_FILE = /^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE|metadata|generateMetadata|remove|reveal)$/;

test("no two files export different things under one name", () => {
  const files = new Map<string, string[]>();
  for (const file of sourceFiles("app", "components", "lib", "server", "scripts"))
    for (const name of exportedNames(file)) files.set(name, [...(files.get(name) ?? []), file]);
  const twice = [...files].filter(([name, found]) => found.length > 1 && !SAID_BY_THEIR_FILE.test(name));
  expect(twice.map(([name, found]) => `${found.join(" and ")} both export ${name}: call one what only it is.`)).toEqual(
    [],
  );
  expect(files.size).toBeGreaterThan(500);
});
