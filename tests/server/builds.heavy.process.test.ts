import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyCheckout, Service } from "./checkout";
import { get } from "./service";

const CHECKED_IN = ["tsconfig.json", "package.json", "package-lock.json", "next.config.mjs"];

let checkout: ReturnType<typeof copyCheckout>;
let before: string[];
const contents = () => CHECKED_IN.map((file) => readFileSync(join(checkout.folder, file), "utf8"));
beforeAll(() => {
  checkout = copyCheckout();
  before = contents();
});
afterAll(() => checkout.remove());

const builds = () =>
  readdirSync(join(checkout.folder, ".builds"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
const current = () => readFileSync(join(checkout.folder, ".builds", "current"), "utf8").trim();

describe.sequential("npm start", () => {
  test("changed sources are built beside the build in use, which keeps answering; of two at once on an " +
    "empty database, one builds and one migrates", {
    timeout: 600_000,
  }, async () => {
    const inUse = current();
    await using old = new Service(checkout.folder);
    const oldPort = await old.port();
    expect(old.output).not.toContain("Buil");
    appendFileSync(join(checkout.folder, "lib", "errors.ts"), "\n// Changed.\n");
    const environment = { DATA_DIR: join(checkout.folder, "data", "of two"), LOG_LEVEL: "info" };
    await using first = new Service(checkout.folder, environment);
    await using second = new Service(checkout.folder, environment);
    for (const service of [first, second]) {
      const port = await service.port();
      for (const path of ["/health", "/signup"]) expect((await get(port, path)).status).toBe(200);
    }
    for (const words of ["Built in", "migrated the database"])
      expect([first, second].map(({ output }) => output.includes(words)).sort()).toEqual([false, true]);
    expect(current()).not.toBe(inUse);
    expect(
      builds()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([inUse, current()].sort());
    expect((await get(oldPort, "/signin")).status).toBe(200);
  });

  test("a build that fails leaves the one before in place, and the next start builds nothing", async () => {
    const [inUse, kept] = [current(), builds()];
    const broken = join(checkout.folder, "next.config.mjs");
    const source = readFileSync(broken, "utf8");
    writeFileSync(broken, "export default {");
    await using service = new Service(checkout.folder);
    expect([await service.exit(), service.output]).toEqual([1, expect.stringContaining("The build failed")]);
    expect([current(), builds()]).toEqual([inUse, kept]);

    writeFileSync(broken, source);
    await using mended = new Service(checkout.folder);
    expect((await get(await mended.port(), "/health")).status).toBe(200);
    expect(mended.output).not.toContain("Buil");
  });

  test("nothing that was checked in is changed by building", () => {
    expect(contents()).toEqual(before);
    expect(existsSync(join(checkout.folder, ".builds", "current.next"))).toBe(false);
  });
});
