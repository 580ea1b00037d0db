import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CONFIGURATION_PAGE, EXPLANATIONS, explanations, withConfiguration } from "@/scripts/configuration";

test("the table of variables is current (npm run configuration makes it so)", () => {
  const page = readFileSync(CONFIGURATION_PAGE, "utf8");
  expect(page).toBe(withConfiguration(page));
  expect(readFileSync(EXPLANATIONS, "utf8")).toBe(explanations());
});

test.each(["README.md", "docs/operations.md", "bench/README.md"])(
  "no line to paste in %s has a comment, which zsh takes for words of the command",
  (file) => {
    const blocks = [...readFileSync(file, "utf8").matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block);
    expect(blocks.length).toBeGreaterThan(0);
    expect(blocks.join("")).not.toMatch(/(?:^|\s)#/m);
  },
);
