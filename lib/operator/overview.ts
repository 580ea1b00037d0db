import cluster from "node:cluster";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { BACKUP } from "@/lib/platform/audit";
import { db, isResponding, sql, sqliteFile } from "@/lib/platform/db/client";
import { configuredProvider, migrationNames, migrationState } from "@/lib/platform/db/migrate";
import { env } from "@/lib/platform/env";
import { metricsText, watch } from "@/lib/platform/metrics";
import { serverFacts, sqliteVersion } from "./queries";
import type { LiveReading } from "./rates";

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
  const [latencyMs, about, { pending }, backup] = await Promise.all([
    latency(),
    env.DATABASE_URL ? aboutServer() : aboutFile(),
    migrationState(),
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
  await isResponding();
  const started = performance.now();
  await isResponding();
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

/** The service: its only process, or the one that started the others. */
const SOURCE = `${hostname()} ${cluster.isWorker ? process.ppid : process.pid}`;

const BUCKET = /^latchkey_request_seconds_bucket\{(.*)\} (\d+)$/gm;

/**
 * What the processes behind this port have answered since they began to measure, without the console's own requests.
 * Begins to measure, or has it go on for some minutes.
 */
export async function readLive(): Promise<LiveReading> {
  await watch();
  const text = await metricsText();
  const counts = new Map<number, number>();
  for (const [, labels = "", count] of text.matchAll(BUCKET)) {
    if (/\broute="\/admin\b/.test(labels)) continue;
    const [, limit = ""] = /\ble="([^"]+)"/.exec(labels) ?? [];
    const seconds = limit === "+Inf" ? Number.POSITIVE_INFINITY : Number(limit);
    counts.set(seconds, (counts.get(seconds) ?? 0) + Number(count));
  }
  const within = [...counts].map(([seconds, count]) => ({ seconds, count })).sort((a, b) => a.seconds - b.seconds);
  return { source: SOURCE, at: Date.now(), within };
}
