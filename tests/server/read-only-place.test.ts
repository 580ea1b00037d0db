import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

test("where there is no build and none can be made, that is said in a sentence", () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-read-only-"));
  try {
    mkdirSync(join(folder, "scripts"));
    for (const name of ["build", "builds", "dotenv", "functions", "sources"]) cpSync(`scripts/${name}.mjs`, join(folder, "scripts", `${name}.mjs`));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    chmodSync(folder, 0o555);
    // Root may write everywhere.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts", "build.mjs")], {
      env: { NODE_ENV: "test" },
      encoding: "utf8",
      ...asNobody,
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^There is no build of these sources, and none can be made here: .*\.builds cannot be written to \(\w+\)\. [^\n]+\n$/),
    ]);
  } finally {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true });
  }
});
