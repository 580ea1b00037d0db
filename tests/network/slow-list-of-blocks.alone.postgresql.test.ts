import { EventEmitter, once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { blockNetwork } from "@/lib/platform/network/block";
import { awaitList, refuseBlocked } from "@/lib/platform/network/blocked";
import { newNetwork } from "@/tests/support/request";

test("a database that does not answer delays a request by a quarter of a second, and blocks stay", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const network = newNetwork();
  const isRefused = async () => refuseBlocked(network).then(Boolean, () => true);
  await blockNetwork({ network: network.id, seconds: null, reason: "" }, { actorId: OPERATOR });
  expect(await isRefused()).toBe(true);
  vi.advanceTimersByTime(700);
  const gate = new EventEmitter();
  const locked = once(gate, "locked");
  const lock = db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE "BlockedNetwork" IN ACCESS EXCLUSIVE MODE`;
    gate.emit("locked");
    await once(gate, "release");
  });
  await locked;
  expect(await isRefused()).toBe(true);
  // Nobody else waits for the same statement.
  vi.advanceTimersByTime(250);
  expect(awaitList()).toBeUndefined();
  expect(await isRefused()).toBe(true);
  gate.emit("release");
  await lock;
});
