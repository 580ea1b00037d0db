import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserWorkspaceConfig } from "vitest/config";
import type { Target } from "./tests/support/service";

// A test's folder says what is tested, its suffix how it runs: tests/README.md explains both.

type Project = NonNullable<UserWorkspaceConfig["test"]>;

const AREAS = "tests/{account,auth,backup,db,files,keys,limits,link,mail,network,recovery,sealing}/*";
/** Of them, those in which SQL of our own, or a lock, decides: they run on both databases. */
const ON_BOTH = "tests/{account,auth,backup,db,files,keys,limits,link,recovery,sealing}/*.test.ts";
const alone = "**/*.alone.*test.ts";
const notAlone = "**/!(*.alone*).test.ts";
const long = "**/*.long.test.ts";
const postgresql = "**/*.postgresql.test.ts";
/** What is about SQLite, or what no database decides. */
const sqlite = "**/*.sqlite.test.ts";

const direct = { lane: "direct", database: "sqlite" } as const;
const onPostgres = { lane: "direct", database: "postgresql" } as const;

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
    globalSetup: ["tests/support/lab.ts", ...[test.globalSetup ?? []].flat()],
    setupFiles: ["tests/support/worker.setup.ts", ...(test.setupFiles ?? [])],
  },
});

/** Files that share a process, and those with their own: they set the environment, or replace something. */
const sharedAndAlone = (test: Project): UserWorkspaceConfig[] => [
  project({ ...test, isolate: false, exclude: [...(test.exclude ?? []), alone] }),
  project({ ...test, name: `${test.name}-alone`, exclude: [...(test.exclude ?? []), notAlone] }),
];

/** The tests of the areas, each process on its own database. */
const onDatabase = (name: "sqlite" | "postgresql", include: string[], exclude: string[]) =>
  sharedAndAlone({ name, include, exclude: [long, ...exclude], provide: { needs: ["scratch", name] } });

/** The same test files, against each kind of service. */
const overHttp = (name: string, target: Target, include: string[], more: Project = {}): UserWorkspaceConfig =>
  project({
    name,
    include,
    isolate: false,
    // The lane that most people use gets most of the bad requests.
    provide: { needs: ["build", "service"], target, badRequests: name === "direct-sqlite" ? 1_000 : 100 },
    ...more,
    exclude: [long, ...(more.exclude ?? [])],
  });

/** What people see: one browser for each process. */
const inBrowser = (name: string, include: string[], more: Project = {}) =>
  overHttp(name, direct, include, { ...more, setupFiles: ["tests/pages/windows.setup.ts"] });

export default defineConfig({
  test: {
    // Many tests wait for a clock or another process, so one more than there are cores.
    maxWorkers: availableParallelism() + 1,
    // What one process has compiled, the processes of the other projects read.
    experimental: { fsModuleCache: true },
    projects: [
      ...sharedAndAlone({
        name: "unit",
        include: ["tests/{components,http,project,server}/*.test.ts"],
        provide: { needs: ["scratch"] },
      }),
      ...onDatabase("sqlite", [`${AREAS}.test.ts`], [postgresql]),
      ...onDatabase("postgresql", [ON_BOTH, `${AREAS}.postgresql.test.ts`], [sqlite]),
      overHttp("direct-sqlite", direct, ["tests/{clients,contract,durability}/*.test.ts"], { exclude: [postgresql] }),
      inBrowser("browser", ["tests/pages/*.test.ts"]),
      overHttp("durability-postgresql", onPostgres, ["tests/durability/{clock,kill,*.postgresql}.test.ts"]),
      project({
        name: "processes",
        include: ["tests/{admin,deployment,processes,soak}/*.test.ts"],
        isolate: false,
        exclude: [long],
        provide: { needs: ["scratch", "build"] },
      }),
      // The contract through plain Next, as on Vercel; and on other lanes what depends on them.
      overHttp("next-postgresql", { lane: "next", database: "postgresql" }, ["tests/contract/*.test.ts"]),
      overHttp("next-sqlite", { lane: "next", database: "sqlite" }, [
        "tests/contract/{link-*,next-*,pages,requests,token}.test.ts",
      ]),
      overHttp("two-processes-postgresql", { ...onPostgres, processes: 2, name: "localhost" }, [
        "tests/contract/{blocked-networks,keys*,link*,passkeys,repeats,token}.test.ts",
      ]),
      overHttp("pgbouncer-postgresql", { ...onPostgres, processes: 2, pooler: true }, [
        "tests/contract/{files,keys-holders,link}.test.ts",
      ]),
      // The same answers for a token of a program's own as for the account's.
      overHttp("own-tokens-sqlite", direct, ["tests/contract/{keys-*,repeats}.test.ts"], {
        env: { TEST_TOKENS: "own" },
      }),
      // What people do most, while a browser translates the pages: it must break nothing.
      inBrowser("browser-translated", ["tests/pages/{keys,link}.test.ts"], {
        env: { TEST_TRANSLATED: "yes" },
      }),
      project({
        name: "long",
        include: [`tests/${long}`],
        provide: { needs: ["build"] },
        testTimeout: 1_800_000,
        hookTimeout: 600_000,
      }),
    ],
  },
});
