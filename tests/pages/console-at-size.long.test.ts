import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBrowser } from "@/scripts/browser";
import { runAdmin, runScript } from "@/tests/support/admin";
import { type OwnDatabase, ownDatabase } from "@/tests/support/own-database";
import { type RunningService, startService } from "@/tests/support/service";
import { openEveryConsolePage } from "./every-console-page";

const SIZE = { users: 1_000_000, keys: 1_000_000, events: 10_000_000 };
const ADMIN = { username: "user-0000000", password: "correct horse battery" };
/** What happened in the last ten minutes is counted again by each sweep. */
const FEW = 1_000;
const HOUR_MS = 3_600_000;
const PICTURES = resolve("node_modules/.cache/latchkey-tests/console-at-size");

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
});
afterAll(() => browser?.close());

describe.each(["sqlite", "postgresql"] as const)(
  "%s: the console of a million users, keys, ten million events",
  (kind) => {
    let database: OwnDatabase;
    let service: RunningService;
    beforeAll(async () => {
      database = await ownDatabase(kind);
      const env = { ...database.environment, PATH: process.env.PATH, NEXTAUTH_URL: "https://keys.example.org" };
      const size = Object.entries(SIZE).flatMap(([name, count]) => [`--${name}`, String(count)]);
      const seeded = await runScript("scripts/seed-console.ts", [...size, "--yes"], { ...env, NODE_ENV: "production" });
      expect(seeded.status, seeded.stderr).toBe(0);
      const admin = (sent: string[], input?: string) => runAdmin(sent, { ...env, NODE_ENV: "production" }, input);
      expect(await admin(["user:password", ADMIN.username], ADMIN.password)).toMatchObject({ status: 0 });
      // Each sweep counts users for half a minute.
      let counted: number;
      do {
        const { status, stdout, stderr } = await admin(["sweep"]);
        expect(status, stderr).toBe(0);
        counted = JSON.parse(stdout).userSummaries;
      } while (counted > FEW);
      service = await startService({ lane: "direct", database: kind }, database.environment);
    }, HOUR_MS);
    afterAll(async () => {
      await service?.stop();
      await database?.release();
    });

    test("every page works, fits both widths and both schemes, and is fit for everybody", {
      timeout: HOUR_MS,
    }, async () => {
      const folder = join(PICTURES, kind);
      const times = await openEveryConsolePage(browser, { origin: service.url, ...ADMIN, folder });
      const lines = times.map(([path, ms]) => `${ms.toFixed(0).padStart(6)} ms  ${path}`);
      process.stdout.write(`${kind}, pictures in ${folder}\n${lines.join("\n")}\n`);
    });
  },
);
