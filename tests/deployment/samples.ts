import { readFileSync } from "node:fs";

/** The sample of docs/operations.md that has this line, or begins with it. */
export function sample(line: string): string {
  const text = readFileSync("docs/operations.md", "utf8")
    .split("```")
    .find((block) => block.includes(`\n${line}\n`));
  if (text === undefined) throw new Error(`docs/operations.md has no sample with ${line}.`);
  return text.slice(text.indexOf("\n") + 1);
}
