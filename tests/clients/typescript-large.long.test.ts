import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runAdmin } from "@/tests/support/admin";
import { type Breakable, breakableWay } from "@/tests/support/breakable";
import { bundled } from "@/tests/support/bundle";
import { largeDocument } from "@/tests/support/documents";
import { newUserOf } from "@/tests/support/operator";
import { type RunningService, startService } from "@/tests/support/service";

const GB = 1_000_000_000;
const CUTS = 10;
const MOST_GROWTH_MB = 64;

let scratch: string;
let service: RunningService;
let way: Breakable;
let token: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "latchkey-large-"));
  service = await startService({ lane: "direct", database: "sqlite" });
  token = await newUserOf(service, "alice");
  const { port, hostname } = new URL(service.url);
  way = await breakableWay(hostname, Number(port));
  const document = join(scratch, "document.json");
  // Three large files, so that a single one is more than all of the memory.
  await pipeline(Readable.from(largeDocument("alice", "few", GB)), createWriteStream(document));
  const environment = { PATH: process.env.PATH, NODE_ENV: "production" as const, ...service.storage };
  const imported = await runAdmin(["files:import", "alice", document], environment);
  expect(imported.status, imported.stderr).toBe(0);
  rmSync(document);
});
afterAll(async () => {
  await way?.cut();
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** The largest memory of a process so far, in MB; 0 if it has just ended. */
function peakOf(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes ?? 0) / 1024;
}

/** Runs the command against the service; `during` sees its process until it ends. Returns its peak, in MB. */
async function run(parameters: string[], during: (part: string) => Promise<void> = async () => {}): Promise<number> {
  const program = await bundled("clients/cli/src/main.ts");
  const environment = { ...process.env, LATCHKEY_TOKEN: token, LATCHKEY_ADDRESS: `http://127.0.0.1:${way.port}` };
  const child = spawn(process.execPath, [program, ...parameters], { env: environment });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
  const ended = once(child, "exit");
  let peak = 0;
  for (let isRunning = true; isRunning; ) {
    isRunning = await Promise.race([ended.then(() => false), new Promise<true>((go) => setTimeout(go, 50, true))]);
    if (!isRunning) break;
    peak = Math.max(peak, peakOf(child.pid ?? 0));
    await during(printed);
  }
  expect((await ended)[0], printed).toBe(0);
  return peak;
}

test("1 GB is pulled in less than 64 MB of memory, and goes on after ten cuts", async () => {
  const usual = await run(["whoami"]);
  const folder = join(scratch, "folder");
  const part = () => {
    const own = join(folder, ".latchkey");
    const names = existsSync(own) ? readdirSync(own).filter((name) => name.startsWith("part-")) : [];
    return names.reduce((bytes, name) => bytes + (statSync(join(own, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  };
  const saved = () =>
    existsSync(folder)
      ? readdirSync(folder).reduce((bytes, name) => bytes + statSync(join(folder, name)).size, 0) + part()
      : 0;
  let cuts = 0;
  const peak = await run(["files", "pull", folder], async () => {
    if (cuts === CUTS || saved() < ((cuts + 1) * GB * 0.7) / (CUTS + 1)) return;
    cuts++;
    await way.cut();
    await way.mend();
  });
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  expect(cuts).toBe(CUTS);
  expect(files).toHaveLength(3);
  for (const name of files) expect(statSync(join(folder, name)).size).toBeGreaterThan(GB / 4);
  expect(peak - usual).toBeLessThan(MOST_GROWTH_MB);
  await run(["files", "pull", folder]);
});
