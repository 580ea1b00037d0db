import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ScratchServer, startRedis } from "@/scripts/scratch-server";
import { expectNotLinked, expectSuccess } from "@/tests/contract/answers";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { type Breakable, breakableWay } from "@/tests/support/sockets";

let redis: ScratchServer;
let way: Breakable;
let service: RunningService;
beforeAll(async () => {
  redis = await startRedis();
  way = await breakableWay("127.0.0.1", Number(new URL(redis.url).port));
  await way.cut();
  service = await startService({ lane: "direct", database: "sqlite" }, { REDIS_URL: `redis://127.0.0.1:${way.port}` });
});
afterAll(async () => {
  await service?.stop();
  await way?.cut();
  await redis?.stop();
});

const LETTERS = "QRSTUVWXYZ";
const guess = (network: string, number: number) =>
  ask(
    "/link/user",
    { query: { code: `ZZZZ${LETTERS[Math.floor(number / 10)]}${LETTERS[number % 10]}` }, network },
    service.url,
  );

/** Asks for 30 codes of others from a network of its own: all are answered, and the next is one too many. */
async function expectLimits(): Promise<void> {
  const network = newNetwork().id;
  for (let number = 0; number < 30; number++) expectNotLinked(await guess(network, number));
  expectNotLinked(await guess(network, 30), 429);
  expectSuccess(await ask("/link/code", { network }, service.url));
}

const logged = (words: string) =>
  readFileSync(service.logFile, "utf8")
    .split("\n")
    .filter((line) => line.includes(words));

describe.sequential("Redis", () => {
  test("that is not there when the service starts is done without, and said once", async () => {
    await expectLimits();
    expect(logged("Redis is unavailable")).toEqual([expect.stringMatching(/"level":40,.*ECONNREFUSED/)]);
  });

  test("that comes is counted in without a restart", async () => {
    await way.mend();
    await expect.poll(() => logged("Redis is back")).toHaveLength(1);
    await expectLimits();
  });

  test.each([
    ["cut off", () => way.cut()],
    ["silent", async () => way.freeze()],
  ])("that is %s is done without until it is back", { timeout: 60_000 }, async (_, breakWay) => {
    const before = { away: logged("Redis is unavailable").length, back: logged("Redis is back").length };
    await breakWay();
    await expectLimits();
    expect(logged("Redis is unavailable")).toHaveLength(before.away + 1);
    await way.mend();
    await expect.poll(() => logged("Redis is back")).toHaveLength(before.back + 1);
    await expectLimits();
  });

  test("is no fault of any request's", () => {
    expect(logged('"level":50')).toEqual([]);
    expect(logged("Error: ").filter((line) => !line.includes("Redis is unavailable"))).toEqual([]);
  });
});
