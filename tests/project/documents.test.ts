import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/** The names of files and folders of ours that a document has between backquotes. */
function namedIn(document: string): string[] {
  const quoted = readFileSync(document, "utf8").matchAll(/`([^`\s]+)`/g);
  const inFolder = /^(?:app|bench|components|docs|examples|lib|prisma|public|scripts|server|tests)\//;
  return [...quoted].flatMap(([, name = ""]) =>
    inFolder.test(name) || /^[\w-]+\.(?:[mj]s|ts|yaml|svg)$/.test(name) ? [name] : [],
  );
}

const documents = [
  "README.md",
  "SECURITY.md",
  "bench/README.md",
  "clients/python/README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).flatMap((name) =>
    name.endsWith(".md") ? [`docs/${name}`] : [],
  ),
];

test.each(documents)("the files that %s names are there", (document) => {
  // <area> stands for any.
  expect(namedIn(document).filter((name) => !name.includes("<") && !existsSync(name))).toEqual([]);
});

test.each(documents)("what %s links to and shows is there, headings too", (document) => {
  const links = [...readFileSync(document, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) =>
    /^[a-z]+:/.test(link) ? [] : [link],
  );
  const missing = links.filter((link) => {
    const [path = "", heading] = link.split("#");
    const target = path === "" ? document : join(dirname(document), path);
    return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading));
  });
  expect(missing).toEqual([]);
});

test("the README has at most 120 lines and 900 words", () => {
  const text = readFileSync("README.md", "utf8");
  expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  expect(text.trim().split(/\s+/).length).toBeLessThanOrEqual(900);
});

test("the README begins with the sentence of the start page", () => {
  const inOneLine = (text: string) => text.replace(/\s+/g, " ");
  const [, pitch = ""] = readFileSync("README.md", "utf8").split("\n\n");
  expect(inOneLine(readFileSync("app/(pages)/welcome.tsx", "utf8"))).toContain(`> ${pitch} <`);
});

const DECISIONS = "docs/decisions";
const decisions = readdirSync(DECISIONS).filter((name) => name !== "README.md");

test("the index of decisions lists each of them once", () => {
  const index = readFileSync(`${DECISIONS}/README.md`, "utf8");
  const listed = [...index.matchAll(/^- \[.+\]\((.+\.md)\): ./gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(decisions.toSorted());
});

test.each(decisions)("the decision %s has its context, what was decided and what was given up", (name) => {
  const parts = readFileSync(`${DECISIONS}/${name}`, "utf8").split(/^## /m);
  const [title = "", ...rest] = parts;
  expect(title).toMatch(/^# .+\n/);
  expect(rest.map((part) => part.split("\n")[0])).toEqual(["Context", "Decision", "Given up"]);
  for (const part of rest) expect(part.split("\n").slice(1).join("").trim()).not.toBe("");
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
  expect(
    names.filter((name) => !whole.includes(name) && !whole.some((file) => file.endsWith(`/${name}.test.ts`))),
  ).toEqual([]);
});
