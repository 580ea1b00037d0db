import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";

const everywhere = {
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
};
const quiet = "tests/support/quiet.setup.ts";
const areas = "tests/{keys,link,files,auth,account}/**/*.test.ts";

/** The tests of the areas, each file on a database of its own. */
const onDatabase = (name: "sqlite" | "postgresql"): UserWorkspaceConfig => ({
  ...everywhere,
  test: {
    name,
    include: [areas, "tests/db/*.test.ts", `tests/db/${name}/*.test.ts`],
    globalSetup: [`tests/support/${name}.global.ts`],
    setupFiles: ["tests/support/database.setup.ts", quiet],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

/** The same test files, once against each kind of server. */
const overHttp = (name: string, lane: "direct" | "next", database: "sqlite" | "postgresql", include: string[]): UserWorkspaceConfig => ({
  ...everywhere,
  test: {
    name,
    include,
    // The lane that most people use gets most of the bad requests.
    provide: { target: { lane, database }, badRequests: lane === "direct" && database === "sqlite" ? 10_000 : 1_000 },
    globalSetup: ["tests/support/build.global.ts", "tests/support/service.global.ts"],
    setupFiles: ["tests/support/service.setup.ts", quiet],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});

/** Tests that start processes of ours, and build: too slow for `npm run verify`. */
const spawning = ["tests/server/process.test.ts", "tests/admin/**/*.test.ts"];

const contract = ["tests/contract/**/*.test.ts"];
const durability = (database: string) => ["tests/durability/*.test.ts", `tests/durability/${database}/*.test.ts`];

const projects: UserWorkspaceConfig[] = [
  {
    ...everywhere,
    test: {
      name: "unit",
      include: ["tests/{unit,server}/**/*.test.ts"],
      exclude: spawning,
      setupFiles: ["tests/support/scratch.setup.ts", quiet],
      testTimeout: 60_000,
    },
  },
  { ...everywhere, test: { name: "process", include: spawning, setupFiles: ["tests/support/scratch.setup.ts", quiet], testTimeout: 180_000 } },
  onDatabase("sqlite"),
  onDatabase("postgresql"),
  overHttp("direct-sqlite", "direct", "sqlite", [...contract, ...durability("sqlite")]),
  overHttp("direct-postgresql", "direct", "postgresql", [...contract, ...durability("postgresql")]),
  overHttp("next-sqlite", "next", "sqlite", contract),
  overHttp("next-postgresql", "next", "postgresql", contract),
  overHttp("browser", "direct", "sqlite", ["tests/browser/**/*.test.ts"]),
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
