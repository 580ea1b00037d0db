import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE, openMode } from "@/lib/data-folder";
import { db } from "@/lib/db/client";
import { pendingMigrations } from "@/lib/db/migrations";
import { env } from "@/lib/env";
import { damagedDocuments } from "@/lib/files/check";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import { openToken, tokenHashes } from "@/lib/tokens";
import { turnOfOthers } from "@/lib/turn-of-others";
import { proxies } from "./proxies";

/** Something that is not as it must be, and what to do about it. */
export interface Finding {
  check: "database" | "migrations" | "secrets" | "tokens" | "orphans" | "files" | "permissions" | "clock" | "proxies";
  problem: string;
  advice: string;
}

const ALLOWED_DRIFT_MS = 5_000;
const USERS_AT_ONCE = 200;
/** Of one kind; more say nothing new. */
const MOST = 20;

/** Looks at everything that is stored, changes nothing, and yields what is wrong. May run beside the service. */
export async function* examine(now: () => Date = () => new Date()): AsyncGenerator<Finding> {
  yield* database();
  yield* migrations();
  yield* permissions();
  yield* clock(now);
  yield* proxies(now());
  if (yield* secrets()) yield* tokens();
  yield* files();
}

async function* database(): AsyncGenerator<Finding> {
  if (env.DATABASE_URL) {
    await db.$queryRaw`SELECT 1`;
    return;
  }
  const rows = await db.$queryRaw<{ integrity_check: string }[]>`PRAGMA integrity_check(20)`;
  for (const { integrity_check: problem } of rows.filter((row) => row.integrity_check !== "ok"))
    yield { check: "database", problem, advice: "The file of the database is damaged: restore a backup, and check the disk." };
  const orphans = await db.$queryRaw<{ table: string; parent: string }[]>`PRAGMA foreign_key_check`;
  for (const { table, parent } of orphans.slice(0, MOST))
    yield {
      check: "orphans",
      problem: `A row of ${table} belongs to none of ${parent}.`,
      advice: "The file of the database was changed by other means: restore a backup.",
    };
}

async function* migrations(): AsyncGenerator<Finding> {
  const pending = await pendingMigrations();
  if (pending.length > 0) yield { check: "migrations", problem: `The database lacks ${pending.join(", ")}.`, advice: "Start the service, which migrates." };
}

async function* permissions(): AsyncGenerator<Finding> {
  if (env.DATABASE_URL) return;
  const files = readdirSync(env.DATA_DIR).filter((name) => name.startsWith(DATABASE_FILE) || (name === "secret" && !env.AUTH_SECRET));
  for (const [path, allowed] of [[env.DATA_DIR, "700"] as const, ...files.map((name) => [join(env.DATA_DIR, name), "600"] as const)]) {
    const mode = openMode(path);
    if (mode) yield { check: "permissions", problem: `${path} is open to others (${mode.toString(8)}).`, advice: `chmod ${allowed} ${path}` };
  }
}

/** Codes and sessions live by the clock; one that was wrong once leaves times in the future. */
async function* clock(now: () => Date): AsyncGenerator<Finding> {
  const advice = "Set the clock, and let it be kept right (NTP).";
  if (env.DATABASE_URL) {
    const [row] = await db.$queryRaw<{ ms: number | bigint }[]>`SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT) AS "ms"`;
    const drift = Number(row?.ms) - now().getTime();
    if (Math.abs(drift) > ALLOWED_DRIFT_MS)
      yield { check: "clock", problem: `The database's clock differs by ${Math.round(drift / 1000)} s from this machine's.`, advice };
  }
  const newest = await db.auditEvent.findFirst({ orderBy: { id: "desc" }, select: { at: true } });
  if (newest && newest.at.getTime() > now().getTime() + ALLOWED_DRIFT_MS)
    yield { check: "clock", problem: `The last event was written at ${newest.at.toISOString()}, which is in the future.`, advice };
}

/** Answers whether there is a secret at all. */
async function* secrets(): AsyncGenerator<Finding, boolean> {
  // It is refused until that is mended, and found among the permissions.
  if (!env.AUTH_SECRET && openMode(secretFile())) return false;
  const needed = (await db.secret.findMany()).map((row) => row.fingerprint);
  const known = hasSecret() ? authSecrets().map(fingerprint) : [];
  if (!needed.every((one) => known.includes(one)))
    yield {
      check: "secrets",
      problem: `${env.AUTH_SECRET ? "AUTH_SECRET" : secretFile()} is not the secret that this database is used with.`,
      advice: "Put the former secret back; if it is lost: secrets:rotate --lost.",
    };
  const [first, ...others] = known;
  if (first !== undefined && others.length > 0 && needed.includes(first) && needed.length > 1)
    yield {
      check: "secrets",
      problem: "Tokens are stored under several secrets.",
      advice: "When every process has been restarted with all of them: secrets:rotate.",
    };
  return known.length > 0;
}

async function* tokens(): AsyncGenerator<Finding> {
  let found = 0;
  for (let after = ""; found < MOST; ) {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: USERS_AT_ONCE,
      select: { id: true, username: true, tokenHash: true, tokenSealed: true },
    });
    for (const user of users.filter((one) => !isWhole(one))) {
      found++;
      yield { check: "tokens", problem: `The token of ${user.username} does not open.`, advice: `user:token ${user.username} --rotate gives a new one.` };
    }
    const last = users.at(-1);
    if (!last) return;
    after = last.id;
    await turnOfOthers();
  }
}

function isWhole({ id, tokenHash, tokenSealed }: { id: string; tokenHash: string; tokenSealed: string }): boolean {
  try {
    const token = openToken(tokenSealed, id);
    return tokenHashes(token).includes(tokenHash);
  } catch {
    return false;
  }
}

async function* files(): AsyncGenerator<Finding> {
  const lost = await db.filePiece.count({ where: { content: null } });
  if (lost > 0)
    yield {
      check: "orphans",
      problem: `${lost} pieces of files have no content.`,
      advice: "If they do not belong to a document (see below), the sweep removes them: sweep.",
    };
  for await (const { userId, problem } of damagedDocuments()) {
    const user = await db.user.findUnique({ where: { id: userId }, select: { username: true } });
    yield {
      check: "files",
      problem: `The document of ${user?.username ?? userId} is damaged: ${problem}`,
      advice: "Restore a backup, or import the document again.",
    };
  }
}
