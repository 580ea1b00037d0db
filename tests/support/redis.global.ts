import type { TestProject } from "vitest/node";
import { startRedis } from "@/scripts/redis";

declare module "vitest" {
  interface ProvidedContext {
    redisUrl: string;
  }
}

/** Starts the Redis for the limits of a project's tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startRedis();
  project.provide("redisUrl", url);
  return stop;
}
