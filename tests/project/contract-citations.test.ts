import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** "contract, section N: row, row" in code stands for rows of docs/contract.md, which must be there. */

const CITATION = /contract, section (\d+)(?:: ([^).]+))?/gi;

const [, ...parts] = readFileSync("docs/contract.md", "utf8").split(/^## (?=\d+\. )/m);
const sections = new Map(parts.map((part) => [part.slice(0, part.indexOf(".")), rowsOf(part)]));

/** The first cells of a section's tables: names of rows, and routes without their parameters. */
function rowsOf(section: string): string[] {
  const cells = [...section.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = ""]) => cell);
  return cells
    .flatMap((cell) => cell.replaceAll("`", "").split(", "))
    .map((name) => name.replace(/[?<].*$/, "").replace(/\/$/, ""));
}

const files = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx", "*.mjs"],
  { encoding: "utf8" },
);
const citations = files
  .split("\n")
  .filter((file) => file !== "" && !file.endsWith("contract-citations.test.ts"))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(CITATION)].map(([, section = "", rows]) => ({
      file,
      section,
      rows: rows?.split(", ") ?? [],
    })),
  );

test("every row of the contract that code cites is in docs/contract.md", () => {
  expect(citations.length).toBeGreaterThan(40);
  const missing = citations.flatMap(({ file, section, rows }) =>
    sections.has(section)
      ? rows.filter((row) => !sections.get(section)?.includes(row)).map((row) => `${file}: section ${section}: ${row}`)
      : [file],
  );
  expect(missing).toEqual([]);
});
