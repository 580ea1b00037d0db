import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeDatabase } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { largeDocument, type Shape } from "@/tests/support/documents";
import { type RunningService, startService } from "@/tests/support/service";
import { makeUser } from "@/tests/support/user";
import { type Fault, faultyWay } from "./faulty-way";
import { PythonClient } from "./python";
import { useStorageOf } from "./use-storage";

const BYTES = 1_000_000_000;
const MOST_MEMORY = 64_000_000;
const CUTS = 10;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ lane: "direct", database: "sqlite" });
  useStorageOf(service);
});
afterAll(async () => {
  await closeDatabase();
  await service?.stop();
});

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
])(
  "1 GB as %s entries is read in less than 64 MB of memory, over a connection that is cut ten times",
  async (shape, entries) => {
    const user = await makeUser();
    const { bytes } = await importDocument(user, largeDocument(user.username, shape, BYTES));
    expect(bytes).toBeGreaterThan(0.9 * BYTES);
    using way = await faultyWay(service.url, cutting());
    using client = new PythonClient(way.url, user.token);
    const { answer, error } = await client.call("contents");
    expect(error).toBeUndefined();
    const read = answer as { entries: number; bytes: number; memory: number };
    expect(way.counts.get("cut")).toBe(CUTS);
    expect(read.entries).toBe(entries);
    expect(read.memory).toBeLessThan(MOST_MEMORY);
    // Everything but folders and the entries' other values.
    expect(read.bytes).toBeGreaterThan(0.3 * BYTES);
  },
);
