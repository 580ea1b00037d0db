import { renameSync, writeFileSync } from "node:fs";
import { audit, BACKUP, OPERATOR } from "@/lib/audit";
import { makeDataFolder } from "@/lib/data-folder";
import { migrate } from "@/lib/db/migrate";
import { configuredProvider, migrationNames } from "@/lib/db/migrations";
import { env } from "@/lib/env";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import type { Header } from "./header";
import { restoreIntoPostgres } from "./postgresql";
import { type BackupEnds, type BackupRow, readBackup, rowsOf } from "./read";
import { isSignedWith } from "./signature";
import { restoreIntoSqlite } from "./sqlite";

export interface RestoredBackup {
  /** When the backup was made. */
  at: string;
  rows: number;
  isSigned: boolean;
}

/** What the operator agrees to. */
export interface Consent {
  /** The accounts of the database may be replaced. */
  replace: boolean;
  /** A backup of an earlier version may be restored, though nobody can tell whether it was changed. */
  unsigned: boolean;
}

/**
 * Replaces the configured database, of either kind, with a backup. The backup is first read to its end, its hash
 * compared and its signature checked with the secret of this machine. The service must not run. `onProgress` gets the
 * restored share of its rows, from 0 to 1. Throws an Error, whose message says what to do, if the backup is damaged,
 * was changed, or belongs to another secret or a newer version, or if consent is missing: `NotEmpty` for accounts.
 */
export async function restoreBackup(
  file: string,
  { replace, unsigned }: Consent,
  onProgress: (part: number) => void = () => {},
  now = new Date(),
): Promise<RestoredBackup> {
  const read = await readBackup(file);
  const { header } = read;
  const known = migrationNames(configuredProvider());
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown) throw new Error(`The backup ${file} was made by a newer version (${unknown}): update first.`);
  const { secrets, keep } = secretsOf(header, file);
  checkSignature(read, secrets, file, unsigned);
  const into = env.DATABASE_URL ? restoreIntoPostgres : restoreIntoSqlite;
  const rows = await into(counted(rowsOf(file, read), read.end.lines, onProgress), header.migrations, replace);
  keep();
  await migrate();
  await audit({ at: now, action: "backup.restore", subjectId: BACKUP, actorId: OPERATOR, detail: { at: header.at } });
  return { at: header.at, rows, isSigned: header.format > 1 };
}

async function* counted(rows: AsyncIterable<BackupRow>, lines: number, onProgress: (part: number) => void) {
  let count = 0;
  for await (const row of rows) {
    onProgress(++count / lines);
    yield row;
  }
}

/** Anybody who can write to a backup could convert it to the former unsigned format, so that one needs consent. */
function checkSignature({ header, end }: BackupEnds, secrets: string[], file: string, unsigned: boolean): void {
  if (header.format === 1) {
    if (unsigned) return;
    throw new Error(
      `The backup ${file} is not signed, as earlier versions made them: if nobody else could change it, ` +
        "restore it with --unsigned.",
    );
  }
  if (!isSignedWith(secrets, end))
    throw new Error(
      `The backup ${file} is not signed with the secret that is in use here: it was changed, or it is ` +
        "another service's. Nothing was restored.",
    );
}

/**
 * The secrets that may have signed the backup: those in use here or, if there are none yet, its own, which `keep` then
 * puts into use. Throws if the secrets in use differ from those it needs.
 */
function secretsOf({ needs, secrets }: Header, file: string): { secrets: string[]; keep: () => void } {
  const isOurs = hasSecret() && opens(needs);
  if (isOurs) return { secrets: authSecrets(), keep: () => {} };
  if (secrets && !env.AUTH_SECRET && !env.DATABASE_URL) {
    if (hasSecret())
      throw new Error(
        `The secret in ${secretFile()} is not the one of this backup: move it away to use the backup's own.`,
      );
    return { secrets, keep: () => keepSecrets(secrets) };
  }
  const where = secrets
    ? `the one in its first line (gunzip -c ${file} | head -1)`
    : "the one that the service had when it was made";
  throw new Error(`AUTH_SECRET is not the secret of this backup, so no token in it would work: set it to ${where}.`);
}

function keepSecrets(secrets: string[]): void {
  makeDataFolder();
  writeFileSync(`${secretFile()}.restored`, `${secrets.join("\n")}\n`, { mode: 0o600 });
  renameSync(`${secretFile()}.restored`, secretFile());
}

function opens(needs: string[]): boolean {
  const known = authSecrets().map(fingerprint);
  return needs.every((one) => known.includes(one));
}
