import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { Target } from "./tests/support/service";
import { isHeavy } from "./tests/support/size.ts";

// A test's folder says what is tested, its suffix how it runs: tests/README.md explains both.

type Project = NonNullable<UserWorkspaceConfig["test"]>;

const DATABASES = ["sqlite", "postgresql"] as const;
const AREAS = "tests/{access-tokens,account,auth,backup,db,files,keys,limits,link,mail,network,recovery,sealing}";
const heavy = isHeavy ? [] : ["**/*.heavy.*test.ts"];
const noDatabase = ["tests/**/*.unit.test.ts", "tests/{http,project}/*.test.ts", "tests/server/*.test.ts"];
const processes = ["tests/**/*.process.test.ts", "tests/admin/*.test.ts"];
const contract = ["tests/contract/*.test.ts", "tests/**/*.http.test.ts"];
/** Our clients, against a service on each database: what they meet does not depend on more. */
const clients = ["tests/clients/*.test.ts"];
const scratch = "tests/support/scratch.global.ts";
const service = ["tests/support/build.global.ts", "tests/support/service.global.ts"];
const alone = "**/*.alone.*test.ts";
/** Suffixes of files that run in a project other than their folder's. */
const elsewhere = ["**/*.{unit,process,http,two-processes,redis,long}.test.ts"];

const notOverHttp = ["**/*.{unit,process,long}.test.ts"];

/** Tests of what is the same everywhere, except for the part that depends on how the service runs. */
const dependsOn = {
  lane: [
    "tests/contract/{gate,link-black-box,link-networks,link-security,link-status,methods}.test.ts",
    "tests/contract/{next-decides,page-headers,token}.test.ts",
    "tests/**/*.http.test.ts",
  ],
  pooler: ["tests/contract/{files,keys-parallel,keys-quotas,link}.test.ts"],
  /** Their results must be the same wherever the counters are. */
  counters: [`tests/contract/{${isHeavy ? "link-black-box,link-networks," : ""}link-security,token}.test.ts`],
  processes: [
    "tests/contract/{blocked-networks,keys-manage,keys-parallel,keys-quotas,keys-update,link,link-wait,token}.test.ts",
    ...(isHeavy ? ["tests/contract/link-networks.test.ts"] : []),
  ],
};
const durable = (database: string) => [
  "tests/durability/{clock,kill}.heavy.test.ts",
  "tests/durability/aborted-downloads.heavy.test.ts",
  `tests/durability/*.${database}.test.ts`,
];

/** Ends what hangs. Far above what any test takes, because a slow machine is not a failure. */
const TIMEOUT_MS = 300_000;
/** As long as Playwright waits for a page; by itself, vitest polls for one second. */
const POLLING_MS = 30_000;

const project = (test: Project): UserWorkspaceConfig => ({
  resolve: { alias: { "@": fileURLToPath(new URL(".", import.meta.url)).replace(/\/$/, "") } },
  test: {
    testTimeout: TIMEOUT_MS,
    hookTimeout: TIMEOUT_MS,
    expect: { poll: { timeout: POLLING_MS } },
    ...test,
    exclude: [...heavy, ...(test.exclude ?? [])],
    setupFiles: [...(test.setupFiles ?? []), "tests/support/quiet.setup.ts"],
  },
});

/** Files that share a process, and those with their own: they set the environment, or replace something. */
const sharedAndAlone = (folders: string, test: Project): UserWorkspaceConfig[] => [
  project({ ...test, isolate: false, exclude: [...(test.exclude ?? []), alone] }),
  project({ ...test, name: `${test.name}-alone`, include: [`${folders}/*.alone.*test.ts`] }),
];

/** What neither SQL of our own nor a lock decides is the same on both: these large ones run on SQLite only. */
const sameOnBoth = [
  "tests/auth/secrets.heavy.test.ts",
  "tests/backup/hostile.heavy.alone.test.ts",
  "tests/files/{bit-flips,deep-folders,large,wild,wild-actions,zip}.heavy.test.ts",
  "tests/keys/mine-memory.heavy.test.ts",
  "tests/mail/{notices,recovery,verification}.heavy.alone.test.ts",
];

/** The tests of the areas, each process on its own database. */
const onDatabase = (name: (typeof DATABASES)[number]) =>
  sharedAndAlone(AREAS, {
    name,
    include: [`${AREAS}/*.test.ts`],
    exclude: [
      ...elsewhere,
      ...DATABASES.filter((other) => other !== name).map((other) => `**/*.${other}.test.ts`),
      ...(name === "sqlite" ? [] : sameOnBoth),
    ],
    globalSetup: [scratch, `tests/support/${name}.global.ts`],
    setupFiles: ["tests/support/database.setup.ts"],
  });

/** The same test files, against each kind of server. */
const overHttp = (name: string, target: Target, include: string[], more: Project = {}): UserWorkspaceConfig =>
  project({
    name,
    include,
    isolate: false,
    // The lane that most people use gets most of the bad requests.
    provide: { target, badRequests: (isHeavy ? 1_000 : 100) * (name === "direct-sqlite" ? 10 : 1) },
    globalSetup: service,
    setupFiles: ["tests/support/service.setup.ts"],
    ...more,
  });

/** What people see. */
const overPages = (name: string, target: Target, include: string[]): UserWorkspaceConfig =>
  overHttp(name, target, include, { exclude: elsewhere });

/** What people do most, while a browser translates the pages: it must break nothing. */
const TRANSLATED = [
  "tests/pages/{keys,link}.test.ts",
  "tests/pages/{account,files,form-errors,keys-list}.heavy.test.ts",
];

/** What people paste, and the slow tests of the link: `npm test` runs them on other lanes. */
const elsewhereToo = isHeavy ? [] : ["tests/contract/{readme,link-black-box,link-networks}.test.ts"];
const onPostgres = { lane: "direct", database: "postgresql" } as const;

export default defineConfig({
  test: {
    // Many tests wait for a clock or another process, so one more than there are cores; heavy ones keep the cores busy.
    maxWorkers: isHeavy ? Math.max(2, availableParallelism()) : availableParallelism() + 1,
    projects: [
      ...sharedAndAlone("tests/server", {
        name: "unit",
        include: noDatabase,
        exclude: processes,
        globalSetup: [scratch],
        setupFiles: ["tests/support/scratch.setup.ts"],
      }),
      ...DATABASES.flatMap(onDatabase),
      project({
        name: "redis",
        include: ["tests/link/limits.test.ts", "tests/{limits,deployment}/*.redis.test.ts"],
        globalSetup: [scratch, "tests/support/sqlite.global.ts", "tests/support/redis.global.ts"],
        setupFiles: ["tests/support/redis.setup.ts", "tests/support/database.setup.ts"],
      }),
      overHttp(
        "direct-sqlite",
        { lane: "direct", database: "sqlite" },
        [...contract, ...clients, ...durable("sqlite")],
        {
          exclude: notOverHttp,
        },
      ),
      overHttp("direct-postgresql", onPostgres, durable("postgresql")),
      overHttp("direct-postgresql-redis", { ...onPostgres, limits: "redis" }, [
        ...dependsOn.counters,
        "tests/durability/*.redis.test.ts",
      ]),
      overHttp("next-sqlite", { lane: "next", database: "sqlite" }, dependsOn.lane),
      overHttp("next-postgresql", { lane: "next", database: "postgresql" }, [...contract, ...clients], {
        exclude: [...elsewhereToo, ...notOverHttp],
      }),
      overHttp("two-processes-postgresql", { ...onPostgres, processes: 2, name: "localhost" }, [
        ...dependsOn.processes,
        "tests/**/*.two-processes.test.ts",
      ]),
      overHttp("pgbouncer-postgresql", { ...onPostgres, processes: 2, pooler: true }, dependsOn.pooler),
      // The same answers for a token of a program's own as for the account's, where it does not matter which it is.
      overHttp(
        "own-tokens-sqlite",
        { lane: "direct", database: "sqlite" },
        isHeavy
          ? ["tests/contract/{bad-input,files,keys-*,parameters,privacy}.test.ts"]
          : ["tests/contract/keys-manage.test.ts"],
        { env: { TEST_TOKENS: "own" } },
      ),
      overPages("browser", { lane: "direct", database: "sqlite" }, ["tests/pages/*.test.ts"]),
      overHttp("browser-translated", { lane: "direct", database: "sqlite" }, TRANSLATED, {
        env: { TEST_TRANSLATED: "yes" },
      }),
      overPages("browser-postgresql", { ...onPostgres, processes: 2, name: "localhost" }, [
        "tests/pages/{confirm,passkeys,recover-passkeys}.heavy.test.ts",
      ]),
      project({
        name: "process",
        include: processes,
        globalSetup: [scratch, "tests/support/build.global.ts"],
        setupFiles: ["tests/support/scratch.setup.ts"],
      }),
      project({
        name: "soak",
        include: ["tests/soak/*.heavy.test.ts"],
        globalSetup: ["tests/support/build.global.ts"],
      }),
      project({
        name: "long",
        include: ["tests/**/*.long.test.ts"],
        globalSetup: ["tests/support/build.global.ts"],
        testTimeout: 1_800_000,
        hookTimeout: 600_000,
      }),
    ],
  },
});
