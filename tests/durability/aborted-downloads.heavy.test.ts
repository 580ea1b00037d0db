import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type Operator, startOperator } from "@/tests/soak/operator";
import { smallDocument } from "@/tests/support/documents";
import { ask } from "@/tests/support/http";
import { type RunningService, startService } from "@/tests/support/service";
import { sized } from "@/tests/support/size";
import { openSocket } from "@/tests/support/sockets";

/** More than the buffers between both ends hold. */
const DOCUMENT_BYTES = 12_000_000;
const AT_ONCE = 20;
const MOST_GROWTH = 64_000_000;
const ERROR = 50;

const { database } = inject("target");
let service: RunningService;
let operator: Operator;
let token: string;
let document: string;
beforeAll(async () => {
  service = await startService({ lane: "direct", database });
  operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  const user = await operator.tell("createUser", "someone", "correct horse battery");
  token = user.token;
  document = JSON.stringify(smallDocument(user.username, randomBytes((DOCUMENT_BYTES * 3) / 4).toString("base64")));
  await operator.tell("importDocument", user, document);
});
afterAll(async () => {
  operator?.stop();
  await service?.stop();
});

/**
 * Asks for the document and goes away: at once, after the headers, in the middle, or without ever having read; politely
 * or with a reset.
 */
async function breakOff(n: number): Promise<void> {
  const gzip = n % 2 === 0 ? "Accept-Encoding: gzip\r\n" : "";
  const bytes = [0, 1, 100_000, 3_000_000, undefined][n % 5];
  const connection = await openSocket(
    service.url,
    `GET /read-files?auth=${token} HTTP/1.1\r\nHost: localhost\r\n${gzip}\r\n`,
    bytes !== undefined,
  );
  let came = 0;
  connection.socket.on("data", (chunk: Buffer) => {
    came += chunk.length;
  });
  if (bytes === undefined) await sleep(30);
  else while (came < bytes) await sleep(1);
  if (n % 3 === 0) connection.socket.resetAndDestroy();
  else connection.socket.destroy();
  await connection.closed;
}

async function breakOffMany(count: number): Promise<void> {
  for (let n = 0; n < count; n += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => breakOff(n + more)));
}

/** What the service says of itself. */
async function held(): Promise<{ files: number; handles: number; memory: number }> {
  const { text } = await ask("/metrics", { headers: { Authorization: `Bearer ${service.metricsToken}` } }, service.url);
  const figure = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "m").exec(text)?.[1]);
  return {
    files: figure("process_open_fds"),
    handles: figure("nodejs_active_handles_total"),
    memory: figure("process_resident_memory_bytes"),
  };
}

/** Connections to the database that are in the middle of something. */
async function busyConnections(): Promise<number> {
  if (database === "sqlite") return 0;
  const client = new pg.Client({ connectionString: service.storage.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query(
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle'",
  );
  await client.end();
  return rows.length;
}

test("aborted downloads leave no open file, connection or handle, no memory and no error", async () => {
  // What the service takes once, whoever asks, is taken before anything is measured.
  await breakOffMany(100);
  const settled = { interval: 200 };
  await expect.poll(busyConnections, settled).toBe(0);
  await sleep(1_000);
  const before = await held();
  const logged = readFileSync(service.logFile, "utf8").length;

  await breakOffMany(sized(100, 500));
  await expect.poll(busyConnections, settled).toBe(0);
  await expect.poll(async () => (await held()).files, settled).toBeLessThanOrEqual(before.files);
  await expect.poll(async () => (await held()).handles, settled).toBeLessThanOrEqual(before.handles);
  expect((await held()).memory - before.memory).toBeLessThan(MOST_GROWTH);

  const lines = readFileSync(service.logFile, "utf8")
    .slice(logged)
    .split("\n")
    .filter((line) => line !== "");
  expect(lines.filter((line) => !line.startsWith("{") || JSON.parse(line).level >= ERROR)).toEqual([]);
  const whole = await ask("/read-files", { query: { auth: token } }, service.url);
  expect(whole.text).toBe(document);
});
