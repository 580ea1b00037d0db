import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundled } from "@/scripts/bundled.mjs";
import { residentBytes } from "@/tests/soak/client";
import { runScript } from "@/tests/support/admin";
import { type OwnDatabase, ownDatabase } from "@/tests/support/databases";

const EVENTS = 10_000_000;
/** At any time, over what there was after the first look: a twentieth of what is exported. */
const MAX_MORE = 64_000_000;
/** Memory is looked at after so many events, again and again. */
const LOOKED_AT_EVERY = 100_000;

describe.each(["sqlite", "postgresql"] as const)("%s: a trail of 10,000,000 events", (kind) => {
  let database: OwnDatabase;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await ownDatabase(kind);
    env = { NODE_ENV: "production", ...database.environment };
    const size = ["1000", "1000", String(EVENTS)];
    const { status, stderr } = await runScript("tests/support/seed/process.ts", size, {
      ...env,
      LOG_LEVEL: "silent",
      DATABASE_TIMEOUT_SECONDS: "600",
    });
    expect(status, stderr).toBe(0);
  }, 1_800_000);
  afterAll(() => database.release());

  test.each(["csv", "json"])("is exported as %s whole, in constant memory", async (format) => {
    const program = await bundled("scripts/admin.ts");
    const child = spawn(process.execPath, [program, "audit", "--format", format], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const began = performance.now();
    const ended = once(child, "close");
    let [lines, bytes] = [0, 0];
    const resident: number[] = [];
    let last = "";
    for await (const line of createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY })) {
      lines++;
      bytes += Buffer.byteLength(line) + 1;
      last = line;
      if (lines % LOOKED_AT_EVERY === 0) resident.push(await residentBytes(child.pid ?? 0));
    }
    const seconds = (performance.now() - began) / 1000;
    expect((await ended)[0]).toBe(0);
    const [atFirst = 0] = resident;
    const most = Math.max(...resident);
    process.stdout.write(
      `${kind}, ${format}: ${Math.round(EVENTS / seconds)} events/s, ${(bytes / 1e6 / seconds).toFixed(1)} MB/s, ` +
        `${(atFirst / 1e6).toFixed(0)} MB at first, ${(most / 1e6).toFixed(0)} MB at most\n`,
    );
    expect(last).toBe(format === "csv" ? `complete,${EVENTS},,,,,` : `{"complete":true,"events":${EVENTS}}`);
    expect(lines).toBe(EVENTS + (format === "csv" ? 2 : 1));
    expect(most - atFirst).toBeLessThan(MAX_MORE);
  });
});
