import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { limiter } from "@/lib/limits";

const REQUESTS = 50;

test("a window that is open keeps nothing of the request that opened it", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const request = new AsyncLocalStorage<object>();
  const limit = limiter(`memory ${newId()}`, 1, 600);
  await limit.take("the counter is made");
  const kept: WeakRef<object>[] = [];
  for (let n = 0; n < REQUESTS; n++) {
    const seen = {};
    kept.push(new WeakRef(seen));
    await request.run(seen, async () => {
      await limit.take(`network ${n}`);
      await limit.giveBack(`another ${n}`);
    });
  }
  await sleep(10);
  collect();
  expect(kept.filter((seen) => seen.deref()).length).toBeLessThanOrEqual(1);
});
