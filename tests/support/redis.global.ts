import type { TestProject } from "vitest/node";
import { startRedis } from "@/scripts/scratch-server";

declare module "vitest" {
  interface ProvidedContext {
    redisUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startRedis();
  project.provide("redisUrl", url);
  return stop;
}
