import { randomBytes } from "node:crypto";
import { createClient } from "@redis/client";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { limiter } from "@/lib/platform/limits/limits";
import { closeRedis, openRedis } from "@/lib/platform/limits/redis";
import { runScript } from "@/tests/support/admin";

const redis = createClient({ url: inject("redisUrl") });
beforeAll(async () => {
  await redis.connect();
});
afterAll(() => redis.destroy());

const newKey = () => randomBytes(8).toString("hex");
const { consume, peek, refund, clear } = limiter("shared", 10, 60);

/** How many of `count` that another process took at once were allowed. */
async function consumed(key: string, count: number): Promise<number> {
  return Number((await runScript("tests/limits/consume.ts", ["shared", key, String(count)], process.env)).stdout);
}

describe("limits in Redis", () => {
  it("are shared by processes, however many take at once", async () => {
    const key = newKey();
    const allowed = await Promise.all([consumed(key, 15), consumed(key, 15)]);
    expect(allowed[0] + allowed[1]).toBe(10);
    expect(await consume(key)).toMatchObject({ allowed: false });
  });

  it("say how many were counted, and when the window ends", async () => {
    const key = newKey();
    const retryAfter = expect.toSatisfy((seconds: number) => seconds > 30 && seconds <= 60);
    const counted = { retryAfter, isFirstRefusal: false, openedAt: expect.any(Number) };
    expect(await peek(key)).toEqual({
      allowed: true,
      consumed: 0,
      retryAfter: 1,
      isFirstRefusal: false,
      openedAt: null,
    });
    for (let count = 1; count <= 10; count++)
      expect(await consume(key)).toEqual({ ...counted, allowed: true, consumed: count });
    expect(await peek(key)).toMatchObject({ allowed: false, consumed: 10 });
    expect(await consume(key)).toEqual({ ...counted, allowed: false, consumed: 11, isFirstRefusal: true });
  });

  it("take back what was counted, and forget", async () => {
    const key = newKey();
    for (let count = 0; count < 10; count++) await consume(key);
    await refund(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 10 });
    expect(await consume(key)).toMatchObject({ allowed: false });
    await clear(key);
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
  });

  it("stand under names of their own, and end with their window", async () => {
    const key = newKey();
    await consume(key);
    expect(await redis.get(`latchkey shared:${key}`)).toBe("1");
    expect(await redis.ttl(`latchkey shared:${key}`)).toBeGreaterThan(50);
  });

  it("need no connection when it is closed at the end", async () => {
    const key = newKey();
    expect(await consume(key)).toMatchObject({ consumed: 1 });
    const id = String(await (await openRedis())?.clientId());
    const connections = () => redis.sendCommand(["CLIENT", "LIST", "ID", id]);
    expect(await connections()).toContain(`id=${id} `);
    await closeRedis();
    await expect.poll(connections).toBe("");
    expect(await consume(key)).toMatchObject({ allowed: true, consumed: 1 });
  });
});
