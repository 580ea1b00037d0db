import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createGunzip } from "node:zlib";
import { importDocument } from "@/lib/files/import";
import { gzipText, openDocument, plainText } from "@/lib/files/read";
import { openSelection } from "@/lib/files/select";
import { hashOf, idOf, largeDocument, type Shape } from "./documents";
import { makeUser } from "./user";

const LEAST_PAUSE_MS = 100;
const SLOW_BYTES_PER_SECOND = 1_000_000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** What is in use once the garbage is collected, so that it does not matter when the engine would have done that. */
function usedBytes(): number {
  collect();
  // What buffers held is known to be free at the next collection.
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Runs `work`; by how many bytes what was in use has grown at most meanwhile. */
async function growthOf(work: () => Promise<unknown>): Promise<number> {
  const before = usedBytes();
  let most = before;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const began = performance.now();
    most = Math.max(most, usedBytes());
    // A slow machine collects slowly too: a third of the time at most.
    timer = setTimeout(look, Math.max(LEAST_PAUSE_MS, 2 * (performance.now() - began)));
  };
  timer = setTimeout(look, LEAST_PAUSE_MS);
  await work().finally(() => clearTimeout(timer));
  return most - before;
}

async function readSlowly(source: AsyncIterable<Uint8Array>, until: AbortSignal): Promise<void> {
  for await (const chunk of source) {
    if (until.aborted) return;
    await sleep((chunk.length / SLOW_BYTES_PER_SECOND) * 1_000);
  }
}

/**
 * Stores a document of about `bytes` for a new user, and reads it back in both forms, also eight times at once, and in
 * parts.
 */
export async function storeAndRead(shape: Shape, bytes: number) {
  const user = await makeUser();
  const sent = createHash("sha256");
  async function* source(): AsyncGenerator<Uint8Array> {
    for await (const chunk of largeDocument(user.username, shape, bytes)) {
      sent.update(chunk);
      yield chunk;
    }
  }
  let entries = 0;
  const store = await growthOf(async () => {
    ({ entries } = await importDocument(user, source()));
  });
  const document = await openDocument(user.id);
  let [plain, gzip] = ["", ""];
  const read = await growthOf(async () => {
    plain = await hashOf(plainText(document));
    const gunzip = createGunzip();
    const unzipped = hashOf(gunzip);
    for await (const part of gzipText(document))
      if (!gunzip.write(part)) await new Promise((drained) => gunzip.once("drain", drained));
    gunzip.end();
    gzip = await unzipped;
  });
  let selected = "";
  const select = await growthOf(async () => {
    selected = await hashOf((await openSelection(user, { under: "/" })).bytes());
    await hashOf((await openSelection(user, { under: "/", only: "index" })).bytes());
    await hashOf((await openSelection(user, { id: idOf(2) })).bytes());
  });
  const readEightAtOnce = await growthOf(async () => {
    const done = new AbortController();
    const form = (n: number) => (n % 2 ? gzipText(document) : plainText(document));
    const slow = [0, 1, 2, 3].map((n) => readSlowly(form(n), done.signal));
    await Promise.all([0, 1, 2, 3].map((n) => hashOf(form(n))));
    done.abort();
    await Promise.all(slow);
  });
  return {
    entries,
    hashes: { sent: sent.digest("hex"), plain, gzip, selected },
    growth: { store, read, select, readEightAtOnce },
  };
}
