import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { received, type Slot } from "@/lib/files/import/arrival";

const CHUNKS = 50;

const place = (): Slot => ({
  network: undefined,
  began: Date.now(),
  bytes: 0,
  waitedMs: 0,
  waitsSince: undefined,
  lost: new AbortController(),
});

test("a running import holds none of the chunks that have passed", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const passed: WeakRef<Uint8Array>[] = [];
  async function* source() {
    for (let n = 0; n < CHUNKS; n++) {
      const chunk = new Uint8Array(64 * 1024);
      passed.push(new WeakRef(chunk));
      yield chunk;
    }
  }
  const chunks = received(source(), place());
  for (let n = 0; n < CHUNKS; n++) await chunks.next();
  await sleep(10);
  collect();
  // The last one may still be on its way.
  expect(passed.filter((chunk) => chunk.deref()).length).toBeLessThanOrEqual(1);
  await chunks.return(undefined);
});

test("losing its slot ends the import immediately, whether or not it waits for its sender", async () => {
  const [waiting, working] = [place(), place()];
  async function* silent(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1);
    await new Promise(() => {});
  }
  const first = received(silent(), waiting);
  await first.next();
  const next = first.next();
  waiting.lost.abort(new Error("too slow"));
  await expect(next).rejects.toThrow("too slow");

  const second = received(silent(), working);
  await second.next();
  working.lost.abort(new Error("too slow"));
  await expect(second.next()).rejects.toThrow("too slow");
});
