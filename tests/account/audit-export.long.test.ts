import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { residentBytes } from "@/tests/soak/memory";
import { runScript } from "@/tests/support/admin";
import { bundled } from "@/tests/support/bundle";
import { type OwnDatabase, ownDatabase } from "@/tests/support/own-database";

const EVENTS = 3_000_000;
const MOST_GROWTH = 64_000_000;
/** By then, the command has taken what it takes once. */
const MEASURED_FROM = 100_000;

describe.each(["sqlite", "postgresql"] as const)("%s: a trail of 3,000,000 events", (kind) => {
  let database: OwnDatabase;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await ownDatabase(kind);
    env = { NODE_ENV: "production", ...database.environment };
    const size = ["--users", "1000", "--keys", "1000", "--events", String(EVENTS), "--yes"];
    const { status, stderr } = await runScript("scripts/seed-console.ts", size, env);
    expect(status, stderr).toBe(0);
  });
  afterAll(() => database.release());

  test.each(["csv", "json"])("is exported as %s whole, within 64 MB of memory", async (format) => {
    const program = await bundled("scripts/admin.ts");
    const child = spawn(process.execPath, [program, "audit", "--format", format], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const began = performance.now();
    const ended = once(child, "close");
    let [lines, bytes, most, least] = [0, 0, 0, Number.POSITIVE_INFINITY];
    let last = "";
    for await (const line of createInterface({ input: child.stdout })) {
      lines++;
      bytes += Buffer.byteLength(line) + 1;
      last = line;
      if (lines < MEASURED_FROM || lines % MEASURED_FROM !== 0) continue;
      const resident = await residentBytes(child.pid ?? 0);
      least = Math.min(least, resident);
      most = Math.max(most, resident);
    }
    const seconds = (performance.now() - began) / 1000;
    expect((await ended)[0]).toBe(0);
    process.stdout.write(
      `${kind}, ${format}: ${Math.round(EVENTS / seconds)} events/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s, ` +
        `grew by ${((most - least) / 1e6).toFixed(1)} MB\n`,
    );
    expect(last).toBe(format === "csv" ? `complete,${EVENTS},,,,,` : `{"complete":true,"events":${EVENTS}}`);
    expect(lines).toBe(EVENTS + (format === "csv" ? 2 : 1));
    expect(most - least).toBeLessThan(MOST_GROWTH);
  });
});
