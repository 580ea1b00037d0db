import { statSync } from "node:fs";
import { BACKUP } from "@/lib/audit";
import { db, isAnswering, sql, sqliteFile } from "@/lib/db/client";
import { configuredProvider, migrationNames, pendingMigrations } from "@/lib/db/migrations";
import { env } from "@/lib/env";
import { serverFacts, sqliteVersion } from "./rows";

/** The service and its database as they are now. */
export interface ServiceFacts {
  /** Seconds since this process began. */
  uptime: number;
  /** How many processes answer behind this port. */
  processes: number;
  database: {
    kind: "SQLite" | "PostgreSQL";
    version: string;
    bytes: number;
    /** How long the smallest question takes. */
    latencyMs: number;
    migrations: { applied: number; pending: string[] };
  };
  /** When the snapshot of the last backup was taken; null if none is known. */
  lastBackup: Date | null;
}

/** What the overview shows besides the statistics: a few cheap questions. */
export async function serviceFacts(): Promise<ServiceFacts> {
  const [latencyMs, about, pending, backup] = await Promise.all([
    latency(),
    env.DATABASE_URL ? aboutServer() : aboutFile(),
    pendingMigrations(),
    db.auditEvent.findFirst({
      where: { subjectId: BACKUP, action: "backup.create" },
      orderBy: { id: "desc" },
      select: { at: true },
    }),
  ]);
  const applied = migrationNames(configuredProvider()).length - pending.length;
  return {
    uptime: process.uptime(),
    processes: env.WEB_CONCURRENCY,
    database: { ...about, latencyMs, migrations: { applied, pending } },
    lastBackup: backup?.at ?? null,
  };
}

/** The second one: the first may have to connect. */
async function latency(): Promise<number> {
  await isAnswering();
  const started = performance.now();
  await isAnswering();
  return performance.now() - started;
}

async function aboutServer() {
  const [facts] = await sql.read(serverFacts());
  return { kind: "PostgreSQL", version: facts?.version ?? "", bytes: facts?.bytes ?? 0 } as const;
}

async function aboutFile() {
  const [library] = await sql.read(sqliteVersion());
  const sizes = ["", "-wal"].map(
    (end) => statSync(/* turbopackIgnore: true */ `${sqliteFile()}${end}`, { throwIfNoEntry: false })?.size ?? 0,
  );
  return { kind: "SQLite", version: library?.version ?? "", bytes: sizes.reduce((a, b) => a + b, 0) } as const;
}
