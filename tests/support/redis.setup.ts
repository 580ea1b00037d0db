import { afterAll, inject } from "vitest";

// Set before anything of lib/ is imported.
process.env.REDIS_URL = inject("redisUrl");

afterAll(async () => {
  const { closeRedis } = await import("@/lib/redis");
  await closeRedis();
});
