import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { closeDatabase } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { bundled } from "@/scripts/bundled.mjs";
import { hasEnded } from "@/scripts/scratch-server";
import { largeDocument, type Shape } from "@/tests/support/documents";
import { Program } from "@/tests/support/program";
import { type RunningService, startService } from "@/tests/support/service";
import { breakableWay } from "@/tests/support/sockets";
import { makeUser } from "@/tests/support/user";
import { PythonClient } from "./clients";
import { type Fault, faultyWay } from "./servers";

const GB = 1_000_000_000;
const MAX_MEMORY = 64_000_000;
const CUTS = 10;

let service: RunningService;
let scratch: string;
beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), "latchkey-large-"));
  service = await startService({ lane: "direct", database: "sqlite" });
  // Before anything opens a database.
  Object.assign(process.env, service.storage);
  Object.assign(env, service.storage);
});
afterAll(async () => {
  await closeDatabase();
  await service?.stop();
  rmSync(scratch, { recursive: true, force: true });
});

/** A user with 1 GB. As a few entries, a single one is more than all of the memory that a client may take. */
async function ownerOf(shape: Shape) {
  const user = await makeUser();
  const { bytes } = await importDocument(user, largeDocument(user.username, shape, GB));
  expect(bytes).toBeGreaterThan(0.9 * GB);
  return user;
}

/** Cuts the first transfers, each somewhere in the next 50 MB. */
function cutting() {
  let cuts = 0;
  return ({ method, url = "" }: IncomingMessage): Fault =>
    method === "GET" && url.startsWith("/read-files") && cuts < CUTS
      ? { kind: "cut", after: 5_000_000 * (1 + (cuts++ % 10)) }
      : { kind: "none" };
}

/** The entries of each shape, its root folder too. */
test.each<[Shape, number]>([
  ["many", 1_000_001],
  ["few", 4],
])("in Python, 1 GB as %s entries takes less than 64 MB of memory, and ten cuts", async (shape, entries) => {
  const { token } = await ownerOf(shape);
  using way = await faultyWay(service.url, cutting());
  using client = new PythonClient(way.url, token);
  const { answer, error } = await client.call("contents");
  expect(error).toBeUndefined();
  const read = answer as { entries: number; bytes: number; memory: number };
  expect(way.counts.get("cut")).toBe(CUTS);
  expect(read.entries).toBe(entries);
  expect(read.memory).toBeLessThan(MAX_MEMORY);
  // Everything but folders and the entries' other values.
  expect(read.bytes).toBeGreaterThan(0.3 * GB);
});

/** The largest memory of a process so far, in bytes; 0 if it has just ended. */
function peakOf(pid = 0): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes ?? 0) * 1024;
}

const sizeOf = (folder: string, names: string[]) =>
  names.reduce((bytes, name) => bytes + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);

test("the command line pulls 1 GB in less than 64 MB of memory, and goes on after ten cuts", async () => {
  const { token } = await ownerOf("few");
  const { port, hostname } = new URL(service.url);
  const way = await breakableWay(hostname, Number(port));
  const program = await bundled("clients/cli/src/main.ts");
  /** Runs a command; `during` is called until it ends. Returns its peak. */
  async function run(parameters: string[], during: () => Promise<void> = async () => {}): Promise<number> {
    const variables = { LATCHKEY_TOKEN: token, LATCHKEY_ADDRESS: `http://127.0.0.1:${way.port}` };
    const running = new Program([process.execPath, program, ...parameters], { env: { ...process.env, ...variables } });
    let peak = 0;
    while (!hasEnded(running.child)) {
      peak = Math.max(peak, peakOf(running.child.pid));
      await during();
      await sleep(50);
    }
    expect(await running.exit(), running.output).toBe(0);
    return peak;
  }

  const usual = await run(["whoami"]);
  const folder = join(scratch, "folder");
  const own = join(folder, ".latchkey");
  const names = (at: string) => (existsSync(at) ? readdirSync(at) : []);
  const saved = () =>
    sizeOf(folder, names(folder)) +
    sizeOf(
      own,
      names(own).filter((name) => /^part-/.test(name)),
    );
  let cuts = 0;
  const peak = await run(["files", "pull", folder], async () => {
    if (cuts === CUTS || saved() < ((cuts + 1) * GB * 0.7) / (CUTS + 1)) return;
    cuts++;
    await way.cut();
    await way.mend();
  });
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  expect([cuts, files.length]).toEqual([CUTS, 3]);
  for (const name of files) expect(statSync(join(folder, name)).size).toBeGreaterThan(GB / 4);
  expect(peak - usual).toBeLessThan(MAX_MEMORY);
  await run(["files", "pull", folder]);
  await way.cut();
});
