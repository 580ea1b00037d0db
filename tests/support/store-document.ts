// Run in its own process: node --import tsx tests/support/store-document.ts <many|few|late> <bytes>
// Stores a document for a new user, reads it back in both forms, and prints a Report as JSON.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createGunzip } from "node:zlib";
import { closeDatabase } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { gzipText, openDocument, plainText } from "@/lib/files/read-document";
import { forbidPretenuring } from "@/lib/garbage-collector";
import { hashOf } from "./documents";
import { makeUser } from "./user";

export interface Report {
  entries: number;
  /** SHA-256 of the sent document, of its plain form and of its gunzipped gzip form. */
  hashes: { sent: string; plain: string; gzip: string };
  /** The maximum growth of the process in bytes meanwhile. */
  growth: { store: number; read: number; readEightAtOnce: number };
  /** MB/s of JSON text; of compressed bytes for gzip. */
  speed: { store: number; plain: number; gzip: number };
}

/** The fixed memory of the engine and the database is allocated before anything is measured. */
const WARM_UP_BYTES = "16000000";
const SLOW_BYTES_PER_SECOND = 1_000_000;

const [shape = "", size = ""] = process.argv.slice(2);
const user = await makeUser();
const { id, username } = user;

/** A document of about `bytes`, created by another process. */
function documentOf(bytes: string): AsyncIterable<Uint8Array> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "tests/support/print-document.ts", username, shape, bytes],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return child.stdout;
}

/** Runs `work` and returns its result and measurements. */
async function measured<T>(work: () => Promise<T>): Promise<{ result: T; growth: number; seconds: number }> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  const started = performance.now();
  const result = await work();
  clearInterval(timer);
  return { result, growth: most - before, seconds: (performance.now() - started) / 1000 };
}

/** Passes `source` through and counts its bytes. */
async function* counted(source: AsyncIterable<Uint8Array>, count: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count.bytes += chunk.length;
    yield chunk;
  }
}

async function readSlowly(source: AsyncIterable<Uint8Array>, until: AbortSignal): Promise<void> {
  for await (const chunk of source) {
    if (until.aborted) return;
    await sleep((chunk.length / SLOW_BYTES_PER_SECOND) * 1000);
  }
}

async function readEightAtOnce(): Promise<void> {
  const document = await openDocument(id);
  const done = new AbortController();
  const slow = [0, 1, 2, 3].map((n) => readSlowly(n % 2 ? gzipText(document) : plainText(document), done.signal));
  await Promise.all([0, 1, 2, 3].map((n) => hashOf(n % 2 ? gzipText(document) : plainText(document))));
  done.abort();
  await Promise.all(slow);
}

// As the service does.
forbidPretenuring();
await importDocument(user, documentOf(WARM_UP_BYTES));
await readEightAtOnce();

const sent = createHash("sha256");
async function* source(): AsyncGenerator<Uint8Array> {
  for await (const chunk of documentOf(size)) {
    sent.update(chunk);
    yield chunk;
  }
}
const store = await measured(() => importDocument(user, source()));
const document = await openDocument(id);
const plain = await measured(() => hashOf(plainText(document)));
const count = { bytes: 0 };
const gzip = await measured(() => hashOf(counted(gzipText(document), count)));
const eight = await measured(readEightAtOnce);

const gunzip = createGunzip();
const unzipped = hashOf(gunzip);
for await (const part of gzipText(document))
  if (!gunzip.write(part)) await new Promise((drained) => gunzip.once("drain", drained));
gunzip.end();

const speed = (size: number, seconds: number) => Math.round(size / 1e5 / seconds) / 10;
const report: Report = {
  entries: store.result.entries,
  hashes: { sent: sent.digest("hex"), plain: plain.result, gzip: await unzipped },
  growth: { store: store.growth, read: Math.max(plain.growth, gzip.growth), readEightAtOnce: eight.growth },
  speed: {
    store: speed(store.result.bytes, store.seconds),
    plain: speed(store.result.bytes, plain.seconds),
    gzip: speed(count.bytes, gzip.seconds),
  },
};
process.stdout.write(`${JSON.stringify(report)}\n`);
await closeDatabase();
