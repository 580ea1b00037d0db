import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

/** What `npm run build` says in a folder without a build, with what `prepare` puts there. Its exit is checked. */
function refusedBuild(prepare: (folder: string) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-no-build-"));
  try {
    mkdirSync(join(folder, "scripts"));
    for (const name of ["build", "builds", "compress-assets", "dotenv", "functions", "sources"])
      cpSync(`scripts/${name}.mjs`, join(folder, "scripts", `${name}.mjs`));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    prepare(folder);
    // Root may write everywhere.
    const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    const { status, stderr } = spawnSync(process.execPath, [join(folder, "scripts", "build.mjs")], {
      env: { NODE_ENV: "test" },
      encoding: "utf8",
      ...asNobody,
    });
    expect(status).toBe(1);
    return stderr;
  } finally {
    chmodSync(folder, 0o755);
    rmSync(folder, { recursive: true });
  }
}

test("where there is no build and none can be made, that is said in a sentence", () => {
  const said = refusedBuild((folder) => {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    chmodSync(folder, 0o555);
  });
  expect(said).toMatch(
    /^There is no build of these sources, and none can be made here: .*\.builds cannot be written to \(\w+\)\. .+\n$/,
  );
});

test(
  "where the packages were installed without their install scripts, or for another Node.js, that is " +
    "said in a sentence",
  () => {
    const said = refusedBuild((folder) => {
      const packages = join(folder, "node_modules");
      mkdirSync(packages);
      for (const name of ["bindings", "file-uri-to-path"])
        symlinkSync(resolve("node_modules", name), join(packages, name));
      const binaries = resolve("node_modules/better-sqlite3/build");
      cpSync("node_modules/better-sqlite3", join(packages, "better-sqlite3"), {
        recursive: true,
        filter: (path) => resolve(path) !== binaries,
      });
      chmodSync(folder, 0o755);
    });
    expect(said).toBe(
      `The package better-sqlite3 is not built for Node.js ${process.version} on this system. Run npm ci ` +
        "with this Node.js, and allow its install script.\n",
    );
  },
);
