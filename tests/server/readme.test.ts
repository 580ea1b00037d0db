import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { withConfiguration } from "@/scripts/configuration";

const readme = readFileSync("README.md", "utf8");

test("the README's table of variables is current (npm run configuration makes it so)", () => {
  expect(readme).toBe(withConfiguration(readme));
});

test("what the README links to and shows is there", () => {
  const paths = [...readme.matchAll(/\]\(([^)#\s]+)\)/g)].flatMap(([, path = ""]) => (/^[a-z]+:/.test(path) ? [] : [path]));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

test.each(["README.md", "docs/operations.md", "bench/README.md"])("no line to paste in %s has a comment, which zsh takes for words of the command", (file) => {
  const blocks = [...readFileSync(file, "utf8").matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
  expect(blocks.length).toBeGreaterThan(0);
  expect(blocks.join("")).not.toMatch(/(?:^|\s)#/m);
});
