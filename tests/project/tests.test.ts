import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("tests/README.md", "utf8");
/** The first cells of the table below a heading. */
const firstCells = (heading: string) =>
  [...(page.split(`\n${heading}\n`)[1] ?? "").matchAll(/^\| (`.+?) \|/gm)].map(([, cell]) => cell);

test("the page about tests lists every file of tests/support, and none that is not there", () => {
  expect(firstCells("## Support")).toEqual(
    readdirSync("tests/support")
      .sort()
      .map((file) => `\`${file}\``),
  );
});
