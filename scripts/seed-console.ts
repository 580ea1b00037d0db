// npm run seed:console -- --users 1000000 --keys 1000000 --events 10000000
// Fills an empty database, to try the operator's console at size: accounts whose tokens work, their keys, sessions and
// programs, and a year of events. It asks first, and refuses a database that has accounts.

import { statfs } from "node:fs/promises";
import { parseArgs } from "node:util";
import "./dotenv.mjs";

process.env.LOG_LEVEL = "silent";
process.env.DATABASE_TIMEOUT_SECONDS ??= "600";

const { closeDatabase, db } = await import("@/lib/db/client");
const { migrate } = await import("@/lib/db/migrate");
const { checkSecrets } = await import("@/lib/auth/secrets-in-use");
const { env } = await import("@/lib/env");
const { withProgress } = await import("./admin/progress");
const { agrees, isAtTerminal, UNCHANGED } = await import("./admin/terminal");
const { openSeed, seedAll } = await import("./seed-console/seed");
const { nameIn } = await import("./seed-console/dialect");

/** Bytes on the disk of one of each, with its indexes and its share of the log, rounded up. */
const BYTES_EACH = { users: 1_500, keys: 1_200, events: 700 };
const MOST = 100_000_000;

const options = { type: "string" } as const;

try {
  const { values } = parseArgs({
    options: { users: options, keys: options, events: options, yes: { type: "boolean" } },
  });
  const size = {
    users: count("users", values.users ?? "1000000", 2),
    keys: count("keys", values.keys ?? "1000000"),
    events: count("events", values.events ?? "10000000"),
  };
  await migrate();
  await checkSecrets("command");
  if (await db.user.findFirst({ select: { id: true } }))
    throw new Error("This database has accounts. Choose an empty one, with DATA_DIR or DATABASE_URL.");
  await checkRoom(size);
  const question = `Fill this database with ${inWords(size)}?`;
  if (!values.yes) {
    if (!isAtTerminal()) throw new Error("Add --yes to fill the database without being asked.");
    if (!(await agrees(question))) throw new Error(UNCHANGED);
  }
  const began = performance.now();
  const seed = openSeed();
  await withProgress("Filling", (onProgress) => seedAll(seed, size, onProgress)).finally(seed.close);
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(JSON.stringify({ ...size, seconds, administrator: nameIn(0) }));
  console.error(`To sign in, set a password: npm run --silent admin -- user:password ${nameIn(0)}`);
} catch (error) {
  console.error((error as Error).message.trim().split("\n").at(-1));
  process.exitCode = 1;
} finally {
  await closeDatabase();
}

function count(name: string, written: string, least = 0): number {
  if (/^\d{1,9}$/.test(written) && Number(written) >= least && Number(written) <= MOST) return Number(written);
  throw new Error(`--${name} must be a whole number from ${least} to ${MOST}.`);
}

function inWords({ users, keys, events }: Record<"users" | "keys" | "events", number>): string {
  const [a, b, c] = [users, keys, events].map((number) => number.toLocaleString("en"));
  return `${a} users, ${b} keys and ${c} events`;
}

/** PostgreSQL's server alone knows how much room it has. */
async function checkRoom(size: Record<keyof typeof BYTES_EACH, number>): Promise<void> {
  if (env.DATABASE_URL) return;
  const { bavail, bsize } = await statfs(env.DATA_DIR);
  const needed = size.users * BYTES_EACH.users + size.keys * BYTES_EACH.keys + size.events * BYTES_EACH.events;
  if (needed > bavail * bsize)
    throw new Error(`That takes about ${Math.ceil(needed / 1e9)} GB, and the disk has ${bavail * bsize} bytes free.`);
}
