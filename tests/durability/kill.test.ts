import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { Ledger } from "@/tests/support/ledger";
import { sized } from "@/tests/support/size";
import { startWithOneUser } from "./one-user";

const ROUNDS = sized(1, 50);
const LEDGERS = 8;
/** Acknowledged changes of keys and links before each kill. */
const CHANGES = 30;

const own = startWithOneUser(inject("target").database);

test("every change that was acknowledged outlives kill -9 again and again in the middle of a burst", {
  timeout: 1_800_000,
}, async () => {
  const { service, operator } = own;
  const ledgers = await Promise.all(Array.from({ length: LEDGERS }, () => Ledger.open(service.url, operator)));
  const acknowledged = () => ledgers.reduce((sum, { tally }) => sum + tally.acknowledged, 0);
  for (let round = 0; round < ROUNDS; round++) {
    const enough = acknowledged() + CHANGES;
    let isWorking = true;
    const work = ledgers.map((ledger) => ledger.work(new AbortController().signal, true));
    const working = Promise.all(work).finally(() => {
      isWorking = false;
    });
    while (isWorking && acknowledged() < enough) await sleep(5);
    await sleep(Math.random() * 50);
    await service.kill();
    await working;
    await service.restart();
    for (const ledger of ledgers) await ledger.verify();
  }
  expect(acknowledged()).toBeGreaterThanOrEqual(CHANGES * ROUNDS);
});
