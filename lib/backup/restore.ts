import { existsSync, renameSync, writeFileSync } from "node:fs";
import { audit, OPERATOR } from "@/lib/audit";
import { makeDataFolder } from "@/lib/data-folder";
import { migrate } from "@/lib/db/migrate";
import { configuredProvider, migrationNames } from "@/lib/db/migrations";
import { env } from "@/lib/env";
import { authSecrets, fingerprint, hasSecret, secretFile } from "@/lib/secrets";
import { restoreIntoPostgres } from "./postgresql";
import { rowsOf, verifyBackup } from "./read";
import { restoreIntoSqlite } from "./sqlite";
import type { Header } from "./write";

export interface Restored {
  /** When the backup was made. */
  at: string;
  rows: number;
}

/**
 * Puts a backup in place of the configured database, of either kind, once it has been read to its end and its hash compared.
 * The service must not run. Throws an Error, whose message says what to do, where it is damaged, belongs to another secret
 * or a newer version, or the database holds accounts and `replace` does not say so.
 */
export async function restoreBackup(file: string, replace: boolean, now = new Date()): Promise<Restored> {
  const header = await verifyBackup(file);
  const unknown = header.migrations.find((name) => !migrationNames(configuredProvider()).includes(name));
  if (unknown) throw new Error(`The backup ${file} was made by a newer version (${unknown}): update first.`);
  const keepSecrets = secretsOf(header, file, replace);
  const into = env.DATABASE_URL ? restoreIntoPostgres : restoreIntoSqlite;
  const rows = await into(rowsOf(file), header.migrations, replace);
  keepSecrets();
  await migrate();
  await audit({ at: now, action: "backup.restore", subjectId: "backup", actorId: OPERATOR, detail: { at: header.at } });
  return { at: header.at, rows };
}

/** Answers what brings the backup's own secrets into use, where it holds any. Throws where those that are in use are others. */
function secretsOf({ needs, secrets }: Header, file: string, replace: boolean): () => void {
  if (secrets && !env.AUTH_SECRET && !env.DATABASE_URL) {
    const isOther = existsSync(secretFile()) && !opens(needs);
    if (isOther && !replace) throw new Error(`The secret in ${secretFile()} is not the one of this backup: move it away, and the backup's own is used.`);
    return () => {
      makeDataFolder();
      writeFileSync(`${secretFile()}.restored`, `${secrets.join("\n")}\n`, { mode: 0o600 });
      renameSync(`${secretFile()}.restored`, secretFile());
    };
  }
  if (!hasSecret() || !opens(needs)) {
    const where = secrets ? `the one in its first line (gunzip -c ${file} | head -1)` : "the one that the service had when it was made";
    throw new Error(`AUTH_SECRET is not the secret of this backup, so no token in it would work: set it to ${where}.`);
  }
  return () => {};
}

function opens(needs: string[]): boolean {
  const known = authSecrets().map(fingerprint);
  return needs.every((one) => known.includes(one));
}
