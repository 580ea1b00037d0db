import { execFileSync } from "node:child_process";

/** TypeScript as biome formats the repository's. `path`: where it will be. */
export function format(text: string, path: string): string {
  return execFileSync(
    process.execPath,
    ["node_modules/@biomejs/biome/bin/biome", "format", `--stdin-file-path=${path}`],
    { input: text, encoding: "utf8" },
  );
}
