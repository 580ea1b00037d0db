import { randomBytes } from "node:crypto";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "@/scripts/postgres";
import { freePort } from "@/scripts/scratch-server";
import { type RunningServer, run, scratch, startServer, typescript } from "./child";

/** The caller: a token, and its stored hash. */
export interface Token {
  token: string;
  tokenHash: string;
}

/** A requested key, with a holder who did not create it. */
export interface SeededKey extends Token {
  id: string;
  /** The name of this holder. */
  holder: string;
  /** The key's creator. */
  asCreator: Token;
}

/** A database with keys and users, and its variables for the service. */
export interface Storage {
  environment: Record<string, string>;
  keys: SeededKey[];
}

/** The address of PostgreSQL, or SQLite if there is none. */
export type Database = { postgres: string } | "sqlite";

/** Limits of new codes that a benchmark does not reach. */
export const LIMITS = {
  LINK_CODES_PER_30_SECONDS: "100000000",
  LINK_CODES_PER_10_MINUTES: "100000000",
  LINK_OUTSTANDING_CODES: "100000000",
};

const secret = randomBytes(32).toString("base64url");
let created = 0;

/** A separate database with this many keys and users. */
export async function seed(database: Database, keys: number, users: number): Promise<Storage> {
  const environment = await emptyStorage(database);
  return {
    environment,
    keys: JSON.parse(await run(typescript("bench/seed.ts", String(keys), String(users)), { environment })),
  };
}

/** A copy of the rows, for a server that changes them. Nobody may use the database meanwhile. */
export async function copyOf({ environment, keys }: Storage): Promise<Storage> {
  const url = environment.DATABASE_URL;
  if (url === undefined) {
    const copy = await emptyStorage("sqlite");
    cpSync(environment.DATA_DIR ?? "", copy.DATA_DIR ?? "", { recursive: true });
    return { environment: copy, keys };
  }
  return { environment: await emptyStorage({ postgres: url }, new URL(url).pathname.slice(1)), keys };
}

export async function emptyStorage(database: Database, template?: string): Promise<Record<string, string>> {
  const name = `bench_${++created}`;
  const common = { DATA_DIR: join(scratch, name), AUTH_SECRET: secret };
  if (database === "sqlite") return common;
  return { ...common, DATABASE_URL: await createDatabase(database.postgres, name, template) };
}

/**
 * Latchkey as `npm start` runs it, or by plain `next start`. Every setting is the default except for the limits of new
 * codes, which only a benchmark reaches.
 */
export async function startLatchkey(
  storage: Storage,
  lane: "direct" | "next" = "direct",
  settings: Record<string, string> = {},
): Promise<RunningServer> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const location = { HOST: "127.0.0.1", PORT: port, NEXTAUTH_URL: url };
  const program = {
    direct: ["scripts/start.mjs"],
    next: ["node_modules/next/dist/bin/next", "start", "-H", "127.0.0.1", "-p", port],
  }[lane];
  return startServer({
    name: `latchkey-${lane}-${++created}`,
    parameters: program,
    environment: { ...storage.environment, ...location, ...LIMITS, ...settings },
    url,
    ready: "/ready",
  });
}
