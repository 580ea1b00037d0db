import { Pool } from "pg";
import { afterEach, expect, test } from "vitest";
import { closeBeforeFreezing } from "@/lib/db/before-freezing";

const CONTEXT = Symbol.for("@vercel/request-context");
afterEach(() => void Reflect.deleteProperty(globalThis, CONTEXT));

const newPool = () => new Pool({ connectionString: process.env.DATABASE_URL, idleTimeoutMillis: 200 });

test("a function stays awake until its idle connections are closed, and waits for the last use only", async () => {
  const works: Promise<unknown>[] = [];
  Reflect.set(globalThis, CONTEXT, { get: () => ({ waitUntil: (work: Promise<unknown>) => works.push(work) }) });
  const pool = newPool();
  closeBeforeFreezing(pool, 200);
  for (let count = 0; count < 3; count++) await Promise.all([pool.query("SELECT 1"), pool.query("SELECT 2")]);
  expect(pool.totalCount).toBeGreaterThan(0);
  // The platform freezes when all of these have ended.
  await Promise.all(works);
  expect([works.length, pool.totalCount]).toEqual([6, 0]);
  await pool.end();
});

test("elsewhere nothing waits for anything", async () => {
  const pool = newPool();
  closeBeforeFreezing(pool, 200);
  await pool.query("SELECT 1");
  expect(pool.idleCount).toBe(1);
  await pool.end();
});
