import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { copyInstalledSources } from "./fresh-checkout";

const place = mkdtempSync(join(tmpdir(), "latchkey-same-bytes-"));
chmodSync(place, 0o755);
afterAll(() => rmSync(place, { recursive: true, force: true }));

const CHECKED_IN = ["tsconfig.json", "package.json", "package-lock.json", "next.config.mjs"];
const DAY_MS = 86_400_000;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** The bytes of the package that is written in a new folder with this name. */
function packageIn(name: string, umask: string, { wrongBy = 0, user = 0, ...environment }) {
  const folder = join(place, name);
  copyInstalledSources(folder);
  // Not the packages: two folders share their files.
  if (user)
    execFileSync("find", [folder, "-name", "node_modules", "-prune", "-o", "-exec", "chown", `${user}`, "{}", "+"]);
  execFileSync("/bin/sh", ["-c", `umask ${umask} && exec "$0" scripts/package.mjs`, process.execPath], {
    cwd: folder,
    ...(user && { uid: user, gid: user }),
    env: {
      NODE_ENV: "production",
      PATH: process.env.PATH,
      HOME: folder,
      npm_config_cache: join(folder, "cache"),
      CLOCK_STARTS_WRONG_BY: String(wrongBy),
      NODE_OPTIONS: `--import ${resolve("tests/support/stepping-clock.mjs")}`,
      ...environment,
    },
    stdio: "pipe",
  });
  for (const file of CHECKED_IN) expect(readFileSync(join(folder, file), "utf8")).toBe(readFileSync(file, "utf8"));
  const [archive = "", ...others] = readdirSync(join(folder, "dist"));
  expect(others).toEqual([]);
  return readFileSync(join(folder, "dist", archive));
}

test("two machines write the same package from the same sources, byte for byte, and change no source by that", () => {
  const first = packageIn("a", "022", {});
  const otherwise = { AUTH_SECRET: "x".repeat(40), NEXTAUTH_URL: "https://keys.example" };
  const other = { wrongBy: 400 * DAY_MS, user: isRoot ? NOBODY : 0, ...otherwise };
  expect(packageIn("another place", "077", other).equals(first)).toBe(true);
  expect(first.length).toBeGreaterThan(10_000_000);
});
