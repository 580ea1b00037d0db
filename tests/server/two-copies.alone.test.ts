import { createRequire } from "node:module";
import { expect, test, vi } from "vitest";
import { newId } from "@/lib/platform/ids";
import { perProcess } from "@/lib/platform/process";
import type { Queue } from "@/lib/platform/queue";

// Next's bundle and the server's are two copies of our code. What hangs on globalThis throws errors of the copy that
// made it.

async function anotherCopy() {
  vi.resetModules();
  return {
    refusal: await import("@/lib/api/refusal"),
    limits: await import("@/lib/platform/limits/limits"),
    passwords: await import("@/lib/accounts/ways-in/passwords"),
  };
}

test("a limit that is counted by the other copy's counter refuses, and does not fail", async () => {
  const name = newId();
  const require = createRequire(import.meta.url);
  const path = require.resolve("rate-limiter-flexible");
  const copies = [0, 1].map(() => {
    for (const file of Object.keys(require.cache).filter((loaded) => loaded.includes("rate-limiter-flexible")))
      delete require.cache[file];
    return require(path) as typeof import("rate-limiter-flexible");
  });
  expect(copies[0]?.RateLimiterRes).not.toBe(copies[1]?.RateLimiterRes);
  const { limiter } = (await anotherCopy()).limits;
  for (const [index, copy] of copies.entries()) {
    perProcess("limiters", () => new Map<string, unknown>()).set(
      `${name} ${index}`,
      new copy.RateLimiterMemory({ keyPrefix: `${name} ${index}`, points: 1, duration: 60 }),
    );
    const limit = limiter(`${name} ${index}`, 1, 60);
    expect((await limit.consume("a")).allowed).toBe(true);
    expect((await limit.consume("a")).allowed).toBe(false);
  }
});

test("a full hash queue is reported as such by both copies, and recovers", async () => {
  const [one, other] = [await anotherCopy(), await anotherCopy()];
  const queue = perProcess("hashing", (): Queue => {
    throw new Error("there is no queue");
  });
  const whom: [string] = [newId()];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Two run, and 32 wait.
  const flood = Array.from({ length: 34 }, () => queue.run(whom, () => ended));
  for (const { passwords } of [one, other]) {
    const thrown = await passwords.hashPassword("correct horse battery", whom).catch((error: unknown) => error);
    for (const { refusal } of [one, other])
      expect(refusal.refusalOf(thrown, "an action failed")).toMatchObject({ status: 429, code: "hashing_busy" });
  }
  const elsewhere = other.passwords.hashPassword("correct horse battery", [newId()]);
  end();
  await Promise.all(flood);
  expect(await elsewhere).toMatch(/^\$argon2id\$/);
});
