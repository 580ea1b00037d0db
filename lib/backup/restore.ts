import { renameSync, writeFileSync } from "node:fs";
import { audit, OPERATOR } from "@/lib/audit";
import { makeDataFolder } from "@/lib/data-folder";
import { migrate } from "@/lib/db/migrate";
import { configuredProvider, migrationNames } from "@/lib/db/migrations";
import { env } from "@/lib/env";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import type { Header } from "./header";
import { restoreIntoPostgres } from "./postgresql";
import { type Read, readBackup, rowsOf } from "./read";
import { isSignedWith } from "./signature";
import { restoreIntoSqlite } from "./sqlite";

export interface Restored {
  /** When the backup was made. */
  at: string;
  rows: number;
  isSigned: boolean;
}

/** What the one who restores says. */
export interface Consent {
  /** The accounts of the database may go. */
  replace: boolean;
  /** A backup of a earlier version may be restored, though nobody can tell whether it was changed. */
  unsigned: boolean;
}

/**
 * Puts a backup in place of the configured database, of either kind, once it has been read to its end, its hash compared and its
 * signature checked under the secret of this machine. The service must not run. Throws an Error, whose message says what to do, where it
 * is damaged, was changed, belongs to another secret or a newer version, or something is not consented to.
 */
export async function restoreBackup(file: string, { replace, unsigned }: Consent, now = new Date()): Promise<Restored> {
  const read = await readBackup(file);
  const { header } = read;
  const known = migrationNames(configuredProvider());
  const unknown = header.migrations.find((name) => !known.includes(name));
  if (unknown) throw new Error(`The backup ${file} was made by a newer version (${unknown}): update first.`);
  const { secrets, keep } = secretsOf(header, file);
  checkSignature(read, secrets, file, unsigned);
  const into = env.DATABASE_URL ? restoreIntoPostgres : restoreIntoSqlite;
  const rows = await into(rowsOf(file, read), header.migrations, replace);
  keep();
  await migrate();
  await audit({ at: now, action: "backup.restore", subjectId: "backup", actorId: OPERATOR, detail: { at: header.at } });
  return { at: header.at, rows, isSigned: header.format > 1 };
}

/** Whoever can write to a backup could make it one of the former format, so those need to be consented to. */
function checkSignature({ header, end }: Read, secrets: string[], file: string, unsigned: boolean): void {
  if (header.format === 1) {
    if (unsigned) return;
    throw new Error(`The backup ${file} is not signed, as earlier versions made them: if nobody else could change it, restore it with --unsigned.`);
  }
  if (!isSignedWith(secrets, end))
    throw new Error(`The backup ${file} is not signed with the secret that is in use here: it was changed, or it is another service's. Nothing was restored.`);
}

/**
 * The secrets that may have signed the backup: those in use here or, where there are none yet, its own, which `keep` then brings into use.
 * Throws where those that are in use are others than it needs.
 */
function secretsOf({ needs, secrets }: Header, file: string): { secrets: string[]; keep: () => void } {
  const isOurs = hasSecret() && opens(needs);
  if (isOurs) return { secrets: authSecrets(), keep: () => {} };
  if (secrets && !env.AUTH_SECRET && !env.DATABASE_URL) {
    if (hasSecret()) throw new Error(`The secret in ${secretFile()} is not the one of this backup: move it away, and the backup's own is used.`);
    return { secrets, keep: () => keepSecrets(secrets) };
  }
  const where = secrets ? `the one in its first line (gunzip -c ${file} | head -1)` : "the one that the service had when it was made";
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
