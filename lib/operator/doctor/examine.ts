import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { damagedDocuments } from "@/lib/files/examine";
import { counted } from "@/lib/platform/bounds";
import { openSecretMode, secretLocation, secretSource } from "@/lib/platform/crypto/secret-source";
import { authSecrets, fingerprint, hasSecret } from "@/lib/platform/crypto/secrets";
import { openToken, tokenHashes } from "@/lib/platform/crypto/tokens";
import { canClose, DATABASE_FILE, unfitFileSystem } from "@/lib/platform/data-folder";
import { db, postgresPool, sql, sqliteFile } from "@/lib/platform/db/client";
import { missingColumns, missingIndexes } from "@/lib/platform/db/drift";
import { isNotMigrated, isUnavailable } from "@/lib/platform/db/errors";
import { explainAbsence } from "@/lib/platform/db/explain";
import { hasFreeSpace } from "@/lib/platform/db/free-space";
import { type MigrationState, migrationState } from "@/lib/platform/db/migrate";
import { CONNECTION_SLOTS, type Slots } from "@/lib/platform/db/patient-pool";
import { isBehindPooler } from "@/lib/platform/db/pooler";
import { hasSpaceToWrite } from "@/lib/platform/db/ready";
import { env } from "@/lib/platform/env";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { serverClock } from "../queries";
import {
  examineFile,
  type Fault,
  type Finding,
  first,
  forgotten,
  MAX_PER_KIND,
  named,
  SWEPT_WITHIN_MS,
} from "./finding";
import { issuer } from "./issuer";
import { keys } from "./keys";
import { mail } from "./mail";
import { passkeys } from "./passkeys";
import { proxies } from "./proxies";
import { nameOf, sealing } from "./sealing";
import { permissions, settings } from "./settings";

const ALLOWED_DRIFT_MS = 5_000;
const USERS_AT_ONCE = 200;

/** Checks everything stored, leaves it as it is, and yields what is wrong. May run beside the service. */
export async function* examine(now: () => Date = () => new Date()): AsyncGenerator<Finding> {
  if (!env.DATABASE_URL && statSync(env.DATA_DIR, { throwIfNoEntry: false })?.isDirectory() === false)
    return yield {
      check: "settings",
      problem: `${resolve(env.DATA_DIR)} (DATA_DIR) is a file.`,
      advice: "Set DATA_DIR to a folder.",
    };
  yield* named("settings", settings());
  if (!(yield* named("database", isThere()))) return;
  if (!(yield* named("database", isAsMigrated()))) return;
  yield* named("database", database());
  yield* named("room", space());
  yield* named("permissions", permissions());
  yield* named("clock", clock(now));
  yield* named("proxies", proxies(now()));
  yield* named("sign-in", issuer(now));
  const hasSecrets = yield* named("secrets", secrets());
  if (hasSecrets) yield* named("tokens", tokens());
  yield* named("sweep", sealedTokens(now()));
  yield* named("passkeys", passkeys());
  yield* named("sweep", oneTimeLinks(now()));
  yield* named("keys", keys(now()));
  yield* named("mail", mail(now()));
  if (hasSecrets) yield* named("sealing", sealing(now()));
  yield* named("files", files());
}

async function* database(): AsyncGenerator<Fault> {
  if (env.DATABASE_URL) {
    await sql.read(serverClock());
    const { rows } = (await postgresPool()?.query<Slots>(CONNECTION_SLOTS)) ?? { rows: [] };
    const most = env.DATABASE_CONNECTIONS * env.WEB_CONCURRENCY;
    if (!isBehindPooler() && rows[0] && most > rows[0].all)
      yield {
        problem: `The service may open ${most} connections to the database, which allows its role ${rows[0].all}.`,
        advice:
          "Lower DATABASE_CONNECTIONS (each process has so many, and there are WEB_CONCURRENCY of them), or let the " +
          "server, the database or the role take more.",
      };
    return;
  }
  const unfit = unfitFileSystem();
  if (unfit) yield { problem: unfit, advice: "Restore a backup there, with the secret beside it." };
  const { problems, orphans } = await examineFile(sqliteFile(), MAX_PER_KIND);
  for (const problem of problems)
    yield {
      problem,
      advice:
        "The database file is damaged: restore a backup, and check the disk. A copy (cp) of a running database is " +
        "often so: make a backup with the command of that name.",
    };
  for (const { table, parent } of orphans)
    yield {
      check: "orphans",
      problem: `A row of ${table} has no matching row in ${parent}.`,
      advice: "The database file was changed by something else: restore a backup.",
    };
}

/** Whether the database has every column and index. Returns whether it has every column: else nothing can be read. */
async function* isAsMigrated(): AsyncGenerator<Fault, boolean> {
  const columns = await missingColumns();
  for (const name of columns)
    yield {
      problem: `The database has no column ${name}.`,
      advice: "Something else has changed the database: restore a backup.",
    };
  for (const { name, statement } of await missingIndexes())
    yield {
      problem: `The index ${name} is missing: what uses it takes long, or is stored twice.`,
      advice: `Create it: ${statement};`,
    };
  return columns.length === 0;
}

/** A change is tried, because nothing else shows whether one is possible. */
async function* space(): AsyncGenerator<Fault> {
  const disk = env.DATABASE_URL ? "the database server's disk" : `the disk of ${resolve(env.DATA_DIR)}`;
  const advice = `Free up space on ${disk}. Until then, people can still sign in and delete what they do not need.`;
  const result = await hasSpaceToWrite().catch((error) => {
    if (isUnavailable(error)) return explainAbsence(error);
    throw error;
  });
  if (typeof result === "string") yield { problem: result, advice: "Until then, changes are refused with 503." };
  else if (!result) yield { problem: "The database has no space left: changes are refused with 507.", advice };
  else if (!(await hasFreeSpace()))
    yield { problem: "Less than KEEP_FREE_BYTES is free: uploads, links and sign-ups get 507.", advice };
}

/** Without one, SQLite would create it. */
const hasDatabase = () => env.DATABASE_URL !== undefined || existsSync(join(env.DATA_DIR, DATABASE_FILE));

async function stateOfDatabase(): Promise<MigrationState> {
  try {
    return await migrationState();
  } catch (error) {
    if (isNotMigrated(error) || /no such table/.test(String(error))) return { by: null, pending: ["all tables"] };
    throw error;
  }
}

/** The version that migrated the database last; null if there is no database here, or nothing has migrated it. */
export async function migratedBy(): Promise<string | null> {
  return hasDatabase() ? (await stateOfDatabase()).by : null;
}

/** Returns whether there is a database with all tables: without, nothing else can be examined. */
async function* isThere(): AsyncGenerator<Fault, boolean> {
  if (!hasDatabase()) {
    yield {
      problem: `There is no database in ${resolve(env.DATA_DIR, DATABASE_FILE)}.`,
      advice: "Set DATA_DIR to the service's data folder. If it is new, start the service, which creates the database.",
    };
    return false;
  }
  const { pending, refusal } = await stateOfDatabase();
  if (refusal) yield { check: "migrations", ...refusal };
  else if (pending.length > 0)
    yield {
      check: "migrations",
      problem: `The database lacks ${pending.join(", ")}.`,
      advice: "Start the service, which applies migrations.",
    };
  return pending.length === 0 && !refusal;
}

/** Codes and sessions depend on the clock; a wrong one leaves times in the future. */
async function* clock(now: () => Date): AsyncGenerator<Fault> {
  const advice = "Set the clock, and keep it synchronised (NTP).";
  if (env.DATABASE_URL) {
    const [row] = await sql.read(serverClock());
    const drift = Number(row?.ms) - now().getTime();
    if (Math.abs(drift) > ALLOWED_DRIFT_MS)
      yield {
        problem: `The database's clock differs by ${Math.round(drift / 1000)} s from this machine's.`,
        advice,
      };
  }
  const newest = await db.auditEvent.findFirst({ orderBy: { id: "desc" }, select: { at: true } });
  if (newest && newest.at.getTime() > now().getTime() + ALLOWED_DRIFT_MS)
    yield {
      problem: `The last event was written at ${newest.at.toISOString()}, which is in the future.`,
      advice,
    };
}

/** Returns whether there is a secret at all. */
async function* secrets(): AsyncGenerator<Fault, boolean> {
  // It is refused until fixed, and reported with the permissions.
  const { file } = secretSource();
  if (file && openSecretMode(file) && canClose(file)) return false;
  const needed = (await db.secret.findMany()).map((row) => row.fingerprint);
  const available = hasSecret() ? authSecrets().map(fingerprint) : [];
  if (available.length === 0 && needed.length > 0)
    yield {
      problem: `${secretLocation()}, the secret that this database uses, is missing.`,
      advice: "Put it back. If it is lost, run secrets:rotate --lost.",
    };
  else if (!needed.every((one) => available.includes(one)))
    yield {
      problem: `${secretLocation()} is not the secret that this database uses.`,
      advice: "Put the previous secret back. If it is lost, run secrets:rotate --lost.",
    };
  const [current, ...former] = available;
  if (current !== undefined && former.length > 0 && needed.includes(current) && needed.length > 1)
    yield {
      problem: "Tokens are stored under several secrets.",
      advice: "Once every process has been restarted with all of them, run secrets:rotate.",
    };
  return available.length > 0;
}

async function* tokens(): AsyncGenerator<Fault> {
  for await (const username of first(MAX_PER_KIND, damagedTokens()))
    yield {
      problem: `The token of ${username} cannot be decrypted.`,
      advice: `Run user:token ${username} --rotate to create a new one.`,
    };
}

/** Whose token cannot be decrypted, by username. */
async function* damagedTokens(): AsyncGenerator<string> {
  for (let after = ""; ; await turnOfOthers()) {
    const users = await db.user.findMany({
      where: { id: { gt: after } },
      orderBy: { id: "asc" },
      take: USERS_AT_ONCE,
      select: { id: true, username: true, tokenHash: true, tokenSealed: true },
    });
    for (const user of users) if (!isIntact(user)) yield user.username;
    const last = users.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** A link's token is kept sealed for minutes only, until its program has collected it. */
async function* sealedTokens(now: Date): AsyncGenerator<Fault> {
  const overdue = new Date(now.getTime() - SWEPT_WITHIN_MS);
  yield* forgotten(await db.accessToken.count({ where: { sealedUntil: { lt: overdue } } }), [
    "token of a linked program, or at least its sealed form,",
    "tokens of linked programs, or at least their sealed forms,",
  ]);
}

async function* oneTimeLinks(now: Date): AsyncGenerator<Fault> {
  const where = { expiresAt: { lt: new Date(now.getTime() - SWEPT_WITHIN_MS) } };
  const links = (await db.recoveryLink.count({ where })) + (await db.invitation.count({ where }));
  yield* forgotten(links, ["recovery link or invitation", "recovery links and invitations"]);
}

function isIntact({ id, tokenHash, tokenSealed }: { id: string; tokenHash: string; tokenSealed: string }): boolean {
  try {
    const token = openToken(tokenSealed, id);
    return tokenHashes(token).includes(tokenHash);
  } catch {
    return false;
  }
}

async function* files(): AsyncGenerator<Fault> {
  const missing = await db.filePiece.count({ where: { content: null } });
  if (missing > 0)
    yield {
      check: "orphans",
      problem: `${counted(missing, "piece of a file has", "pieces of files have")} no content.`,
      advice: "If they do not belong to a document (see below), run sweep to delete them.",
    };
  for await (const { userId, problem } of first(MAX_PER_KIND, damagedDocuments()))
    yield {
      problem: `The document of ${await nameOf(userId)} is damaged: ${problem}`,
      advice:
        "If no secret opens its keys (see above), put the former secret back. Otherwise restore a backup, or import " +
        "the document again.",
    };
}
