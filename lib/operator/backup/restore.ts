import { renameSync, writeFileSync } from "node:fs";
import { audit, BACKUP, OPERATOR } from "@/lib/platform/audit";
import { secretLocation } from "@/lib/platform/crypto/secret-source";
import { alsoRecognise, authSecrets, fingerprint, hasSecret, ownSecretFile } from "@/lib/platform/crypto/secrets";
import { bringToDisk, makeDataFolder } from "@/lib/platform/data-folder";
import { configuredProvider, migrate, migrationNames } from "@/lib/platform/db/migrate";
import { env } from "@/lib/platform/env";
import { rotateSecrets } from "../rotate";
import { type Header, openingClear, openSecrets, type Portable, signerOf } from "./format";
import { restoreIntoPostgres, restoreIntoSqlite } from "./load";
import { type BackupRow, readBackup, rowsOf } from "./read";
import type { Plain, Table } from "./tables";

interface RestoredBackup {
  /** When the backup was made. */
  at: string;
  rows: number;
  /** Tokens and data keys are still under the secret of the backup: they must be stored under that of this machine. */
  isUnderOtherSecret: boolean;
}

/** What the operator agrees to. */
export interface Consent {
  /** The accounts of the database may be replaced. */
  replace: boolean;
  /** Asked for if the backup is portable and the secret of this machine does not open it. */
  passphrase(): Promise<string>;
}

/**
 * Replaces the configured database, of either kind, with a backup. The backup is first read to its end, its hash
 * compared and its signature checked with the secret of this machine, or with the one that the passphrase of a portable
 * backup opens. This process then recognises that one, too. The service must not run. `onProgress` gets the
 * restored share of its rows, from 0 to 1. Throws an Error, whose message says what to do, if the backup is damaged,
 * was changed, or belongs to another secret or a newer version, or if consent is missing: `NotEmpty` for accounts.
 */
export async function restoreBackup(
  file: string,
  consent: Consent,
  { onProgress = () => {}, now = new Date() }: { onProgress?: (part: number) => void; now?: Date } = {},
): Promise<RestoredBackup> {
  const read = await readBackup(file);
  const { header } = read;
  const { secrets, isOther, use } = await secretsOf(header, file, consent);
  const signer = signerOf(secrets, read.end);
  if (!signer)
    throw new Error(
      `The backup ${file} is not signed with the secret that is in use here: it was changed, or belongs to ` +
        "another service. Nothing was restored.",
    );
  const into = env.DATABASE_URL ? restoreIntoPostgres : restoreIntoSqlite;
  const opened = opening(rowsOf(file, read), signer);
  const migrations = migrationNames(configuredProvider()).filter((name) => header.migrations.includes(name));
  const rows = await into(counted(opened, read.end.lines, onProgress), migrations, consent.replace);
  use();
  await migrate();
  await audit({ at: now, action: "backup.restore", subjectId: BACKUP, actorId: OPERATOR, detail: { at: header.at } });
  return { at: header.at, rows, isUnderOtherSecret: isOther };
}

/** The rows as the database had them. */
async function* opening(rows: AsyncIterable<BackupRow>, secret: string): AsyncGenerator<BackupRow> {
  let table: Table | undefined;
  let open = (values: Plain[]) => values;
  for await (const row of rows) {
    if (row.table !== table) open = openingClear(row.table, secret);
    table = row.table;
    yield { table, values: open(row.values) };
  }
}

async function* counted(rows: AsyncIterable<BackupRow>, lines: number, onProgress: (part: number) => void) {
  let count = 0;
  for await (const row of rows) {
    onProgress(++count / lines);
    yield row;
  }
}

interface SecretsOfBackup {
  /** Those that may have signed the backup. */
  secrets: string[];
  /** Whether others are in use here, under which everything must be stored then. */
  isOther: boolean;
  /** Puts them into use, after the restore. */
  use(): void;
}

/**
 * The secrets in use here, if they are those that the backup needs; or else those that it carries. They are kept if
 * there are none here yet. Throws an Error that says what to do if the backup cannot be used without another secret.
 */
async function secretsOf(header: Header, file: string, consent: Consent): Promise<SecretsOfBackup> {
  const { needs, portable } = header;
  const hasOwn = hasSecret();
  if (hasOwn && contain(authSecrets(), needs)) return { secrets: authSecrets(), isOther: false, use: () => {} };
  if (portable) {
    const carried = await opened(portable, header, consent);
    const use = () => (hasOwn ? alsoRecognise(carried) : storeSecrets(carried));
    return { secrets: carried, isOther: hasOwn, use };
  }
  if (hasOwn)
    throw new Error(
      `${secretLocation()} is not the secret of this backup, so nothing in it could be read: set it to the one that ` +
        "the service had when the backup was created.",
    );
  throw new Error(
    `The backup ${file} can only be restored with the secret of the service that created it: copy that to ` +
      `${secretLocation()} (chmod 600), or set AUTH_SECRET to it. Nothing was restored.`,
  );
}

async function opened(portable: Portable, { at, needs }: Header, consent: Consent): Promise<string[]> {
  const secrets = await openSecrets(portable, await consent.passphrase(), at);
  if (secrets && contain(secrets, needs)) return secrets;
  throw new Error("The passphrase does not open this backup. Nothing was restored.");
}

function storeSecrets(secrets: string[]): void {
  makeDataFolder();
  writeFileSync(`${ownSecretFile()}.restored`, `${secrets.join("\n")}\n`, { mode: 0o600, flush: true });
  renameSync(`${ownSecretFile()}.restored`, ownSecretFile());
  bringToDisk(env.DATA_DIR);
}

function contain(secrets: string[], needs: string[]): boolean {
  const available = secrets.map(fingerprint);
  return needs.every((one) => available.includes(one));
}

/**
 * Restores a backup, as `restoreBackup` does. If it came from a service with another secret, stores its tokens and data
 * keys under that of this machine, so that the other is not needed again. Tokens that were damaged in the backup
 * already are replaced: `newTokens` is how many. If this is interrupted, the service refuses to start until the restore
 * is repeated.
 */
export async function restoreUnderOwnSecret(
  file: string,
  consent: Consent,
  onProgress: (part: number) => void,
): Promise<RestoredBackup & { newTokens: number }> {
  const restored = await restoreBackup(file, consent, { onProgress });
  const { newTokens } = restored.isUnderOtherSecret ? await rotateSecrets(true, onProgress) : { newTokens: 0 };
  return { ...restored, newTokens };
}
