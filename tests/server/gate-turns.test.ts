import { performance } from "node:perf_hooks";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Turns } from "@/server/turns";

/** How long the event loop has been busy: only work makes it so, however slow the machine is. */
let active = 0;
beforeEach(() => {
  vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({ active, idle: 0, utilization: 0 }));
});
afterEach(() => void vi.restoreAllMocks());

/** Keeps the event loop busy. */
function work(ms: number): void {
  active += ms;
}

/** Asks for a page that costs so much, and writes down whose it was when it is done. */
async function page(turns: Turns, network: string, ms: number, order: string[]): Promise<void> {
  const end = await turns.take(network);
  await turn();
  work(ms);
  order.push(network);
  end();
}

test("a network with two hundred concurrent pages delays one with a few by only a few", async () => {
  const [turns, order] = [new Turns(), [] as string[]];
  const flood = Array.from({ length: 200 }, () => page(turns, "flood", 2, order));
  await turn();
  await Promise.all(Array.from({ length: 5 }, () => page(turns, "person", 2, order)));
  const last = order.lastIndexOf("person");
  expect(order.slice(0, last).filter((network) => network === "flood").length).toBeLessThan(30);
  await Promise.all(flood);
  expect(order).toHaveLength(205);
});

test("what counts is the time that was taken, not the number of requests", async () => {
  const [turns, order] = [new Turns(), [] as string[]];
  const dear = Array.from({ length: 40 }, () => page(turns, "dear", 10, order));
  const cheap = Array.from({ length: 40 }, () => page(turns, "cheap", 1, order));
  await Promise.all([...dear, ...cheap]);
  expect(order.slice(0, 40).filter((network) => network === "cheap").length).toBeGreaterThan(25);
});

test("networks that keep coming anew pass one that was served before only for a while", async () => {
  // The clock is the work done.
  vi.spyOn(performance, "now").mockImplementation(() => active);
  const [turns, order] = [new Turns(), [] as string[]];
  await page(turns, "person", 500, order);
  const crowd = Array.from({ length: 20 }, (_, index) => page(turns, `first ${index}`, 20, order));
  const person = page(turns, "person", 20, order);
  for (let n = 0; n < 200; n++) {
    const others = page(turns, `later ${n}`, 20, order);
    crowd.push(others);
    await Promise.race([others, ...crowd.slice(n, n + 20)]);
  }
  await Promise.all([person, ...crowd]);
  expect(order).toHaveLength(222);
  // 500 ms of use are made up for in a second of waiting: 50 pages of 20 ms, and those that came before.
  expect(order.lastIndexOf("person")).toBeLessThan(90);
});

test("networks that wait with many pages each do not pass one that comes later with one", async () => {
  // The clock is the work done.
  vi.spyOn(performance, "now").mockImplementation(() => active);
  const [turns, order] = [new Turns(), [] as string[]];
  const flood = Array.from({ length: 600 }, (_, index) => page(turns, `flood ${index % 10}`, 20, order));
  await Promise.all(flood.slice(0, 300));
  const before = order.length;
  await page(turns, "person", 20, order);
  expect(order.indexOf("person") - before).toBeLessThan(20);
  await Promise.all(flood);
});

test("alone, a whole house behind one address gets everything, and nobody of it is refused", async () => {
  const [turns, order] = [new Turns(), [] as string[]];
  await Promise.all(Array.from({ length: 500 }, () => page(turns, "house", 0, order)));
  expect(order).toHaveLength(500);
});

test("the rest of the service is answered between two pages", async () => {
  const [turns, order] = [new Turns(), [] as string[]];
  const pages = Promise.all(Array.from({ length: 100 }, () => page(turns, "flood", 2, order)));
  let between = 0;
  while (order.length < 100) {
    await turn();
    between++;
  }
  await pages;
  expect(between).toBeGreaterThan(20);
});

test("who waits for something else than the event loop keeps nobody from it", async () => {
  const turns = new Turns();
  const stuck = Array.from({ length: 4 }, () => turns.take("stuck"));
  await Promise.all(stuck);
  const end = await turns.take("other");
  end();
  expect((await Promise.all(stuck)).length).toBe(4);
});

test("who goes away while he waits gives up his place, and the work is never begun", async () => {
  const turns = new Turns();
  const running = await Promise.all(Array.from({ length: 4 }, () => turns.take("a")));
  let leave = () => {};
  const waiting = turns.take("a", (leaveQueue) => {
    leave = leaveQueue;
  });
  leave();
  await expect(waiting).rejects.toMatchObject({ status: 503 });
  for (const end of running) end();
  (await turns.take("a"))();
});

test("a queue has an end, and the longest one gives way", async () => {
  const turns = new Turns();
  const running = await Promise.all(Array.from({ length: 4 }, () => turns.take("first")));
  const waiting = Array.from({ length: 600 }, () => turns.take("long"));
  const settled = Promise.allSettled(waiting);
  await sleep(0);
  const others = Array.from({ length: 512 }, (_, index) => turns.take(`short ${index % 100}`).then((end) => end()));
  const person = turns.take("person").then((end) => end());
  for (const end of running) end();
  const begun = Promise.all(waiting.map((taken) => taken.then((end) => end()).catch(() => {})));
  await Promise.all([person, ...others]);
  await begun;
  const refused = (await settled).filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThanOrEqual(88);
});

test("while a body is being decoded nobody else's work begins, however idle the event loop is", async () => {
  const turns = new Turns();
  let decode = () => {};
  const decoded = new Promise<void>((resolve) => {
    decode = resolve;
  });
  const end = await turns.take("sender", () => {}, decoded);
  let hasBegun = false;
  const other = turns.take("other").then((endOther) => {
    hasBegun = true;
    endOther();
  });
  await sleep(400);
  expect(hasBegun).toBe(false);
  decode();
  await other;
  end();
});

test("a body that is never decoded gives its turn up with the head of its response", async () => {
  const turns = new Turns();
  const end = await turns.take("sender", () => {}, new Promise(() => {}));
  const other = turns.take("other");
  end();
  (await other)();
});
