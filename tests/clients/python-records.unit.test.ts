import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { routes } from "@/app/(api)/routes";
import { openApiDocument } from "@/lib/http/openapi";
import { describedIn, pythonRecords, pythonRefusals } from "@/scripts/python-records";

const description = describedIn(openApiDocument(routes, "http://localhost:3000", "1"));
const PACKAGE = "clients/python/src/latchkey";

test.each([
  ["records.py", pythonRecords],
  ["refusals.py", pythonRefusals],
])("%s is what the description says: npm run clients", (name, written) => {
  expect(readFileSync(`${PACKAGE}/${name}`, "utf8")).toBe(written(description));
});

test("the package is of one version", () => {
  const [, version] = /^version = "(.+)"$/m.exec(readFileSync("clients/python/pyproject.toml", "utf8")) ?? [];
  expect(readFileSync(`${PACKAGE}/transport.py`, "utf8")).toContain(`VERSION = "${version}"\n`);
  expect(readFileSync("clients/python/README.md", "utf8")).toContain(`latchkey-${version}-py3-none-any.whl`);
  expect(readFileSync("clients/python/LICENSE", "utf8")).toBe(readFileSync("LICENSE", "utf8"));
});
