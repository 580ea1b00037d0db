import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The names of files and folders of ours that a document has between backquotes. */
function namedIn(document: string): string[] {
  const quoted = readFileSync(document, "utf8").matchAll(/`([^`\s]+)`/g);
  return [...quoted].flatMap(([, name = ""]) => (/^(?:app|components|docs|examples|lib|prisma|public|scripts|server|tests)\//.test(name) ? [name] : []));
}

const documents = ["README.md", "SECURITY.md", "bench/README.md", ...readdirSync("docs").flatMap((name) => (name.endsWith(".md") ? [`docs/${name}`] : []))];

test.each(documents)("the files that %s names are there", (document) => {
  expect(namedIn(document).filter((name) => !existsSync(name))).toEqual([]);
});

test.each(documents)("what %s links to and shows is there, headings too", (document) => {
  const links = [...readFileSync(document, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => (/^[a-z]+:/.test(link) ? [] : [link]));
  const missing = links.filter((link) => {
    const [path = "", heading] = link.split("#");
    const target = path === "" ? document : join(dirname(document), path);
    return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
  });
  expect(missing).toEqual([]);
});

/** As addresses name them. */
function headingsOf(document: string): string[] {
  const headings = [...readFileSync(document, "utf8").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("each test that the table of bounds names is there", () => {
  const rows = readFileSync("docs/bounds.md", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const cells = rows.map(
    (row) =>
      row
        .split("|")
        .map((cell) => cell.trim())
        .at(-2) ?? "",
  );
  const names = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
  const whole = names.filter((name) => name.includes("/"));
  expect(names.length).toBeGreaterThan(20);
  expect(whole.filter((name) => !name.startsWith("tests/") || !existsSync(name))).toEqual([]);
  // A file that was named whole is named in short below that.
  expect(names.filter((name) => !whole.includes(name) && !whole.some((file) => file.endsWith(`/${name}.test.ts`)))).toEqual([]);
});
