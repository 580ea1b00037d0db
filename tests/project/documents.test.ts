import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { patched, recipeBlocks } from "@/tests/deployment/fresh-checkout";

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
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...["cli", "python", "typescript"].map((client) => `clients/${client}/README.md`),
  "tests/README.md",
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

test("the tests of bounds are named whole, or in short below that", () => {
  const [, bounds = ""] = readFileSync("docs/security.md", "utf8").split("\n## Bounds\n");
  const rows = bounds.match(/^\| .+(?=\|$)/gm) ?? [];
  const cells = rows.map((row) => row.split("|").at(-1) ?? "").join();
  const names = [...cells.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
  const whole = names.filter((name) => name.startsWith("tests/"));
  expect(whole.length).toBeGreaterThan(20);
  expect(names.filter((name) => !whole.some((file) => file === name || file.endsWith(`/${name}.test.ts`)))).toEqual([]);
});

test.each(["README.md", "docs/operations.md", "docs/backups.md"])(
  "no line to paste in %s has a comment, which zsh takes for words of the command",
  (file) => {
    const blocks = [...readFileSync(file, "utf8").matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.join("")).not.toMatch(/(?:^|\s)#/m);
  },
);

test("every block of CONTRIBUTING.md fits the file that it changes, also one with such a change", () => {
  const texts = new Map<string, string | null>();
  const changes = recipeBlocks().filter(({ kind }) => kind === "diff");
  for (const { file, text } of [...changes, ...changes]) {
    texts.set(file, patched(texts.get(file) ?? readFileSync(file, "utf8"), text));
    expect(texts.get(file), `${file} has the lines of this block once:\n${text}`).not.toBeNull();
  }
  expect(texts.size).toBeGreaterThan(0);
});
