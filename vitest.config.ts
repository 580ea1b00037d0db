import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { Target } from "./tests/support/service";

const everywhere = {
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
};
const quiet = "tests/support/quiet.setup.ts";
const areas = "tests/{keys,link,files,auth,account,backup,security/areas}/**/*.test.ts";

/** The tests of the areas, each file on a database of its own. */
const onDatabase = (name: "sqlite" | "postgresql"): UserWorkspaceConfig => ({
  ...everywhere,
  test: {
    name,
    include: [areas, "tests/db/*.test.ts", `tests/db/${name}/*.test.ts`, `tests/security/${name}/*.test.ts`],
    globalSetup: [`tests/support/${name}.global.ts`],
    setupFiles: ["tests/support/database.setup.ts", quiet],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

/** The same test files, once against each kind of server. */
const overHttp = (name: string, target: Target, include: string[]): UserWorkspaceConfig => ({
  ...everywhere,
  test: {
    name,
    include,
    // The lane that most people use gets most of the bad requests.
    provide: { target, badRequests: target.lane === "direct" && target.database === "sqlite" ? 10_000 : 1_000 },
    globalSetup: ["tests/support/build.global.ts", "tests/support/service.global.ts"],
    setupFiles: ["tests/support/service.setup.ts", quiet],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

/** Tests that start processes of ours, and build: too slow for `npm run verify`. */
const spawning = ["tests/server/{process,runtime-folder}.test.ts", "tests/admin/**/*.test.ts"];

const overPages = overHttp("browser", { lane: "direct", database: "sqlite" }, ["tests/browser/**/*.test.ts", "tests/security/pages/**/*.test.ts"]);

/** What a page comes to show may take as long as Playwright itself waits for it. */
const browser: UserWorkspaceConfig = { ...overPages, test: { ...overPages.test, expect: { poll: { timeout: 30_000 } } } };

const contract = ["tests/contract/**/*.test.ts", "tests/security/http/**/*.test.ts"];
const durability = (database: string) => ["tests/durability/*.test.ts", `tests/durability/${database}/*.test.ts`];
/** Those that count: what they show must be the same wherever the counters are. */
const limited = ["tests/contract/{link-networks,link-security,link-black-box,token}.test.ts", "tests/durability/redis/*.test.ts"];

const projects: UserWorkspaceConfig[] = [
  {
    ...everywhere,
    test: {
      name: "unit",
      include: ["tests/{unit,server,security/server}/**/*.test.ts"],
      exclude: spawning,
      setupFiles: ["tests/support/scratch.setup.ts", quiet],
      testTimeout: 60_000,
    },
  },
  {
    ...everywhere,
    test: {
      name: "process",
      include: spawning,
      globalSetup: ["tests/support/build.global.ts"],
      setupFiles: ["tests/support/scratch.setup.ts", quiet],
      testTimeout: 180_000,
    },
  },
  onDatabase("sqlite"),
  onDatabase("postgresql"),
  {
    ...everywhere,
    test: {
      name: "redis",
      include: ["tests/link/limits.test.ts", "tests/redis/*.test.ts"],
      globalSetup: ["tests/support/sqlite.global.ts", "tests/support/redis.global.ts"],
      setupFiles: ["tests/support/redis.setup.ts", "tests/support/database.setup.ts", quiet],
      testTimeout: 30_000,
      hookTimeout: 60_000,
    },
  },
  overHttp("direct-sqlite", { lane: "direct", database: "sqlite" }, [...contract, ...durability("sqlite")]),
  overHttp("direct-postgresql", { lane: "direct", database: "postgresql" }, [...contract, ...durability("postgresql")]),
  overHttp("direct-postgresql-redis", { lane: "direct", database: "postgresql", limits: "redis" }, limited),
  overHttp("next-sqlite", { lane: "next", database: "sqlite" }, contract),
  overHttp("next-postgresql", { lane: "next", database: "postgresql" }, contract),
  {
    ...everywhere,
    test: { name: "soak", include: ["tests/soak/**/*.test.ts"], globalSetup: ["tests/support/build.global.ts"], setupFiles: [quiet] },
  },
  overHttp("two-processes-postgresql", { lane: "direct", database: "postgresql", processes: 2 }, contract),
  overHttp("pgbouncer-postgresql", { lane: "direct", database: "postgresql", processes: 2, pooler: true }, contract),
  browser,
  overHttp("browser-postgresql", { lane: "direct", database: "postgresql" }, ["tests/browser/read-files.test.ts"]),
  {
    ...everywhere,
    test: {
      name: "long",
      include: ["tests/long/**/*.test.ts"],
      globalSetup: ["tests/support/build.global.ts"],
      testTimeout: 1_800_000,
      hookTimeout: 600_000,
    },
  },
];

/** All but tests/long. */
export const projectNames = projects.map(({ test }) => String(test?.name)).filter((name) => name !== "long");

export default defineConfig({ test: { projects, maxWorkers: Math.max(2, availableParallelism()) } });
