import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyInstalledSources } from "./fresh-checkout";

const place = mkdtempSync(join(tmpdir(), "latchkey-same-build-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const CHECKED_IN = ["tsconfig.json", "package.json", "package-lock.json", "next.config.mjs"];

/**
 * What pages of one machine ask of another: the build's id, the names of its scripts and styles, the names of actions.
 */
function buildIn(name: string, environment: Record<string, string>) {
  const folder = join(place, name);
  copyInstalledSources(folder);
  execFileSync(process.execPath, ["scripts/build.mjs"], {
    cwd: folder,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
    stdio: "pipe",
  });
  const build = join(folder, ".builds", readFileSync(join(folder, ".builds", "current"), "utf8").trim());
  for (const file of CHECKED_IN) expect(readFileSync(join(folder, file), "utf8")).toBe(readFileSync(file, "utf8"));
  const actions = JSON.parse(readFileSync(join(build, "server", "server-reference-manifest.json"), "utf8"));
  return {
    id: readFileSync(join(build, "BUILD_ID"), "utf8"),
    chunks: readdirSync(join(build, "static"), { recursive: true, encoding: "utf8" }).sort(),
    actions: Object.keys(actions.node).sort(),
  };
}

test("two machines that each build the same sources serve each other's pages, and change no source by that", () => {
  const first = buildIn("a", {});
  const second = buildIn("another place", { AUTH_SECRET: "x".repeat(40), NEXTAUTH_URL: "https://keys.example" });
  expect(second).toEqual(first);
  expect(first.actions.length).toBeGreaterThan(10);
  expect(first.chunks.length).toBeGreaterThan(20);
});
