import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import Database from "better-sqlite3";
import { audit, BACKUP, OPERATOR } from "@/lib/platform/audit";
import { secretLocation } from "@/lib/platform/crypto/secret-source";
import { authSecrets } from "@/lib/platform/crypto/secrets";
import { sqliteFile } from "@/lib/platform/db/client";
import { connectDirectly, sessionConfig } from "@/lib/platform/db/postgres-session";
import { env } from "@/lib/platform/env";
import { type End, FORMAT, type Header, sealingClear, sealSecrets, signatureOf } from "./format";
import { type Table, tables, toPlain } from "./tables";

/** Rows per result, and fewer for a table with bytes: those have 256 KB each. */
const ROWS_AT_ONCE = 500;
const LARGE_ROWS_AT_ONCE = 8;

/** The whole database at one moment, regardless of concurrent writes. */
interface Snapshot {
  /** The rows of a table, each with its values in the order of the columns. */
  rows(table: Table): AsyncIterable<unknown[]>;
  /** The number of rows in all of these tables. */
  count(tables: Table[]): Promise<number>;
  /** The names of the migrations that were applied. */
  migrations(): Promise<string[]>;
  close(): Promise<void>;
}

const MIGRATIONS =
  `SELECT "migration_name" AS "name" FROM "_prisma_migrations" WHERE "finished_at" IS NOT NULL AND ` +
  `"rolled_back_at" IS NULL ORDER BY 1`;

const select = ({ name, columns }: Table) =>
  `SELECT ${columns.map((column) => `"${column.name}"`).join(", ")} FROM "${name}"`;

const countAll = (tables: Table[]) =>
  `SELECT ${tables.map(({ name }) => `(SELECT count(*) FROM "${name}")`).join(" + ")} AS "count"`;

/** Opens a snapshot on its own connection. It must be closed. */
function openSnapshot(): Promise<Snapshot> {
  return env.DATABASE_URL ? postgresSnapshot() : sqliteSnapshot();
}

/** A read transaction in WAL mode neither waits for writers nor sees them. */
async function sqliteSnapshot(): Promise<Snapshot> {
  const database = new Database(sqliteFile(), { readonly: true, timeout: 5_000 });
  database.exec("BEGIN");
  return {
    async *rows(table) {
      // The iterator holds one row at a time; numbers of 64 bits must stay exact.
      yield* database.prepare<[], unknown[]>(select(table)).safeIntegers().raw().iterate();
    },
    count: async (tables) => database.prepare<[], { count: number }>(countAll(tables)).get()?.count ?? 0,
    migrations: async () =>
      database
        .prepare<[], { name: string }>(MIGRATIONS)
        .all()
        .map(({ name }) => name),
    close: async () => void database.close(),
  };
}

async function postgresSnapshot(): Promise<Snapshot> {
  const { client } = await connectDirectly(sessionConfig());
  // Times are stored without a zone, in UTC, and are read as such.
  await client.query("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL TimeZone = 'UTC'");
  return {
    async *rows(table) {
      const columns = table.columns.map(({ name, kind }) =>
        kind === "DateTime" ? `(EXTRACT(EPOCH FROM "${name}") * 1000)::bigint` : `"${name}"`,
      );
      await client.query(`DECLARE backup NO SCROLL CURSOR FOR SELECT ${columns.join(", ")} FROM "${table.name}"`);
      const count = table.columns.some(({ kind }) => kind === "Bytes") ? LARGE_ROWS_AT_ONCE : ROWS_AT_ONCE;
      for (;;) {
        const { rows } = await client.query<unknown[]>({ text: `FETCH ${count} FROM backup`, rowMode: "array" });
        if (rows.length === 0) break;
        yield* rows;
      }
      await client.query("CLOSE backup");
    },
    count: async (tables) => Number((await client.query<{ count: string }>(countAll(tables))).rows[0]?.count),
    migrations: async () => (await client.query<{ name: string }>(MIGRATIONS)).rows.map(({ name }) => name),
    close: () => client.end(),
  };
}

/** Characters passed on together. */
const ENOUGH = 1 << 16;

interface Written {
  file: string;
  rows: number;
  /** What a restore elsewhere needs: "the passphrase", or where the secret is. */
  opensWith: string;
  /** Whether the console will show when it was made: a database that takes no writes cannot record it. */
  isRecorded: boolean;
}

interface BackupOptions {
  /** Restores the backup without the secret, which it then carries, sealed under this. */
  passphrase?: string;
  onProgress?: OnProgress;
}

const opensWith = ({ passphrase }: BackupOptions) =>
  passphrase ? "the passphrase" : `the secret in ${secretLocation()}`;

/**
 * Writes everything stored to one new file, readable by its owner only: JSON lines, gzip. It is a snapshot, regardless
 * of concurrent writes, and the file gets its name only when complete. What users stored is in it sealed. Throws an
 * Error if the file exists or cannot be written.
 */
export async function writeBackup(file: string, now = new Date(), options: BackupOptions = {}): Promise<Written> {
  const draft = `${file}.${process.pid}.partial`;
  const snapshot = await openSnapshot();
  const done: Written = { file, rows: 0, opensWith: opensWith(options), isRecorded: false };
  try {
    const source = hashed(lines(snapshot, done, { ...options, now }));
    await send(source, createWriteStream(draft, { mode: 0o600, flags: "wx" }), true);
    await flush(draft);
    await link(draft, file);
    await flush(dirname(file));
  } catch (error) {
    throw new Error(reason(file, error as NodeJS.ErrnoException));
  } finally {
    await snapshot.close();
    await rm(draft, { force: true });
  }
  done.isRecorded = await record(done.rows, now);
  return done;
}

/**
 * Writes the same to a stream, which stays open. It is complete exactly if this returns. A reader sees that by its end,
 * which has its hash and signature. Throws an Error if the stream is closed before.
 */
export async function sendBackup(
  out: NodeJS.WritableStream,
  now = new Date(),
  options: BackupOptions = {},
): Promise<Omit<Written, "file">> {
  const snapshot = await openSnapshot();
  const done = { rows: 0, opensWith: opensWith(options), isRecorded: false };
  try {
    await send(hashed(lines(snapshot, done, { ...options, now })), out, false);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
    throw new Error("The output was closed before the whole backup was written.");
  } finally {
    await snapshot.close();
  }
  done.isRecorded = await record(done.rows, now);
  return done;
}

/** Records a complete backup, with the time of its snapshot. It does not fail for that. */
async function record(rows: number, now: Date): Promise<boolean> {
  const detail = { rows: String(rows) };
  return audit({ at: now, action: "backup.create", subjectId: BACKUP, actorId: OPERATOR, detail }).then(
    () => true,
    () => false,
  );
}

/** Gets the share of the rows that was written, from 0 to 1. */
type OnProgress = (part: number) => void;

/** The snapshot can be closed afterwards: nothing reads it any more. */
async function send(source: AsyncGenerator<Buffer>, out: NodeJS.WritableStream, end: boolean): Promise<void> {
  try {
    await pipeline(source, createGzip({ level: 1, chunkSize: 1 << 18 }), out, { end });
  } finally {
    await source.return(undefined);
  }
}

async function* lines(
  snapshot: Snapshot,
  done: Omit<Written, "file">,
  { passphrase, onProgress, now }: BackupOptions & { now: Date },
): AsyncGenerator<string> {
  const total = onProgress ? await snapshot.count(tables()) : 0;
  const at = now.toISOString();
  const header: Header = {
    latchkey: "backup",
    format: FORMAT,
    at,
    migrations: await snapshot.migrations(),
    needs: await fingerprints(snapshot),
    ...(passphrase && { portable: await sealSecrets(authSecrets(), passphrase, at) }),
  };
  yield JSON.stringify(header);
  for (const table of tables()) {
    yield JSON.stringify(table satisfies Table);
    const sealed = sealingClear(table, authSecrets()[0]);
    for await (const row of snapshot.rows(table)) {
      done.rows++;
      onProgress?.(done.rows / total);
      yield JSON.stringify(sealed(table.columns.map(({ kind }, index) => toPlain(row[index], kind))));
    }
  }
}

async function fingerprints(snapshot: Snapshot): Promise<string[]> {
  const secret = tables().find(({ name }) => name === "Secret");
  const needed: string[] = [];
  if (secret) for await (const [fingerprint] of snapshot.rows(secret)) needed.push(String(fingerprint));
  return needed;
}

/** The lines as bytes, followed by one with their number, SHA-256 and signature. */
async function* hashed(source: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let count = 0;
  let text = "";
  const nextChunk = () => {
    const bytes = Buffer.from(text);
    hash.update(bytes);
    text = "";
    return bytes;
  };
  for await (const line of source) {
    text += `${line}\n`;
    count++;
    if (text.length >= ENOUGH) yield nextChunk();
  }
  yield nextChunk();
  const sha256 = hash.digest("hex");
  const end: End = { lines: count, sha256, signature: signatureOf(count, sha256, authSecrets()[0]) };
  yield Buffer.from(`${JSON.stringify(end)}\n`);
}

async function flush(path: string): Promise<void> {
  const opened = await open(path, "r");
  await opened.sync().finally(() => opened.close());
}

function reason(file: string, error: NodeJS.ErrnoException): string {
  if (error.code === "EEXIST") return `The file ${file} already exists. Choose another name.`;
  if (error.code === "ENOENT") return `The file ${file} cannot be created: its folder does not exist.`;
  if (error.code === "ENOSPC") return `There is no space on the disk for the file ${file}.`;
  if (error.code === "EACCES" || error.code === "EROFS")
    return `The file ${file} cannot be created: permission denied.`;
  return error.message;
}
