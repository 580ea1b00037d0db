import { afterAll, inject } from "vitest";

// Set before importing anything from lib/.
process.env.REDIS_URL = inject("redisUrl");

afterAll(async () => {
  const { closeRedis } = await import("@/lib/platform/limits/redis");
  await closeRedis();
});
