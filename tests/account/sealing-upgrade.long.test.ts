import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { Client } from "pg";
import { expect, test } from "vitest";
import { runScript } from "@/tests/support/admin";
import { ownDatabase } from "@/tests/support/own-database";
import { startService } from "@/tests/support/service";

const KEYS = 1_000_000;
/** How long a request may take while everything is sealed. */
const LONGEST_MS = 5_000;
/** Nothing may wait longer than this for the end. */
const GIVE_UP_MS = 1_500_000;

interface Progress {
  passes: number;
  ended: boolean;
}

/** Asks the database itself, beside the service. */
async function openCounter(environment: Record<string, string>) {
  const text = `SELECT max("passes") AS passes, count("resealedAt") AS ended FROM "DataKey"`;
  const clear = `SELECT count(*) AS n FROM "Key" WHERE "sealedWith" IS NULL`;
  const read = ({ passes, ended }: Record<string, unknown>): Progress => ({
    passes: Number(passes),
    ended: Number(ended) > 0,
  });
  if (!environment.DATABASE_URL) {
    const database = new Database(`${environment.DATA_DIR}/latchkey.db`, { readonly: true });
    const get = (query: string) => database.prepare<[], Record<string, unknown>>(query).get() ?? {};
    return {
      progress: async () => read(get(text)),
      clear: async () => Number(get(clear).n),
      close: async () => void database.close(),
    };
  }
  const client = new Client(environment.DATABASE_URL);
  await client.connect();
  const get = async (query: string) => (await client.query(query)).rows[0];
  return {
    progress: async () => read(await get(text)),
    clear: async () => Number((await get(clear)).n),
    close: () => client.end(),
  };
}

test.each(["sqlite", "postgresql"] as const)(
  "%s: a million keys are sealed while the service answers",
  async (kind) => {
    const database = await ownDatabase(kind);
    const size = ["--users", "10000", "--keys", String(KEYS), "--events", "1000", "--yes"];
    const env = { NODE_ENV: "production" as const, PATH: process.env.PATH, ...database.environment };
    const { status, stderr } = await runScript("scripts/seed-console.ts", size, env);
    expect(status, stderr).toBe(0);
    const counter = await openCounter(database.environment);
    expect(await counter.clear()).toBe(KEYS);

    const began = performance.now();
    const service = await startService({ lane: "direct", database: kind }, database.environment);
    const took: number[] = [];
    let firstPass: number | undefined;
    try {
      for (;;) {
        const asked = performance.now();
        const response = await fetch(`${service.url}/keys/check/nobody?key=${"0".repeat(32)}`);
        await response.arrayBuffer();
        expect(response.status).toBeLessThan(500);
        took.push(performance.now() - asked);
        if (took.length % 50 === 0) {
          const { passes, ended } = await counter.progress();
          if (passes > 0) firstPass ??= performance.now() - began;
          if (ended) break;
          expect(performance.now() - began).toBeLessThan(GIVE_UP_MS);
        }
        await sleep(10);
      }
      const seconds = (ms: number) => (ms / 1_000).toFixed(0);
      took.sort((a, b) => a - b);
      const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((part) => took[Math.ceil(took.length * part) - 1]);
      process.stdout.write(
        `${kind}: ${KEYS} keys sealed in ${seconds(firstPass ?? 0)} s, all looked at again after ` +
          `${seconds(performance.now() - began)} s; ${took.length} requests meanwhile, p50 ${p50.toFixed(1)} ms, ` +
          `p99 ${p99.toFixed(1)} ms, longest ${longest.toFixed(0)} ms\n`,
      );
      expect(await counter.clear()).toBe(0);
      expect(longest).toBeLessThan(LONGEST_MS);
    } finally {
      await counter.close();
      await service.stop();
      await database.release();
    }
  },
);
