import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ScratchPostgres, startPostgres } from "@/scripts/postgres";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { ask } from "@/tests/support/http";
import { Ledger } from "@/tests/support/ledger";
import { type RunningService, startService } from "@/tests/support/service";

const LEDGERS = 6;
const CHANGES = 30;
const DOWN_MS = 1_500;

// One that waits for the disk, as it does everywhere but in tests: what it acknowledged must outlive its crash.
let postgres: ScratchPostgres;
let service: RunningService;
let operator: Operator;
beforeAll(async () => {
  postgres = await startPostgres();
  service = await startService({ lane: "direct", database: "postgresql" }, {}, postgres);
  operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
  await postgres?.stop();
});

test.each(["fast", "immediate", "fast", "immediate"] as const)(
  "PostgreSQL restarts (%s) under load: 503 meanwhile, then all goes on, and nothing that was acknowledged is lost",
  { timeout: 120_000 },
  async (mode) => {
    const ledgers = await Promise.all(Array.from({ length: LEDGERS }, () => Ledger.open(service.url, operator)));
    const sum = (what: "acknowledged" | "away") => ledgers.reduce((total, { tally }) => total + tally[what], 0);
    const enough = new AbortController();
    const working = Promise.all(ledgers.map((ledger) => ledger.work(enough.signal, false)));
    const acknowledges = async (more: number) => {
      const target = sum("acknowledged") + more;
      await expect.poll(() => sum("acknowledged"), { timeout: 60_000 }).toBeGreaterThanOrEqual(target);
    };

    await acknowledges(CHANGES);
    await postgres.restart(mode, async () => {
      await sleep(DOWN_MS);
      expect((await ask("/health", {}, service.url)).status).toBe(503);
    });
    await acknowledges(CHANGES);
    enough.abort();
    await working;
    expect(sum("away")).toBeGreaterThan(0);
    for (const ledger of ledgers) await ledger.verify();
  },
);
