import { performance } from "node:perf_hooks";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Queue } from "@/lib/platform/queue";
import { Turns } from "@/server/turns";

afterEach(() => void vi.useRealTimers().restoreAllMocks());

describe("requests that take turns", () => {
  let active = 0;
  let turns: Turns;
  let order: string[];
  beforeEach(() => {
    vi.spyOn(performance, "eventLoopUtilization").mockImplementation(() => ({ active, idle: 0, utilization: 0 }));
    [turns, order] = [new Turns(), []];
  });

  async function page(network: string, ms: number): Promise<void> {
    const end = await turns.acquire(network);
    await turn();
    active += ms;
    order.push(network);
    end();
  }

  const pages = (count: number, network: string, ms: number) =>
    Promise.all(Array.from({ length: count }, () => page(network, ms)));
  const taken = (count: number, network: string) =>
    Promise.all(Array.from({ length: count }, () => turns.acquire(network)));
  const among = (first: number, network: string) => order.slice(0, first).filter((one) => one === network).length;

  test("a network with two hundred concurrent pages delays one with a few by only a few", async () => {
    const flood = pages(200, "flood", 2);
    await turn();
    await pages(5, "person", 2);
    expect(among(order.lastIndexOf("person"), "flood")).toBeLessThan(30);
    await flood;
    expect(order).toHaveLength(205);
  });

  test("what counts is the time that was taken, not the number of requests", async () => {
    await Promise.all([pages(40, "dear", 10), pages(40, "cheap", 1)]);
    expect(among(40, "cheap")).toBeGreaterThan(25);
  });

  test("networks that keep coming anew pass one that was served before only for a while", async () => {
    // The clock is the work done.
    vi.spyOn(performance, "now").mockImplementation(() => active);
    await page("person", 500);
    const crowd = Array.from({ length: 20 }, (_, index) => page(`first ${index}`, 20));
    const person = page("person", 20);
    for (let n = 0; n < 200; n++) {
      const others = page(`later ${n}`, 20);
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
    const flood = Array.from({ length: 600 }, (_, index) => page(`flood ${index % 10}`, 20));
    await Promise.all(flood.slice(0, 300));
    const before = order.length;
    await page("person", 20);
    expect(order.indexOf("person") - before).toBeLessThan(20);
    await Promise.all(flood);
  });

  test("alone, a whole house behind one address gets everything, and nobody of it is refused", async () => {
    await pages(500, "house", 0);
    expect(order).toHaveLength(500);
  });

  test("the rest of the service is answered between two pages", async () => {
    const flood = pages(100, "flood", 2);
    let between = 0;
    for (; order.length < 100; between++) await turn();
    await flood;
    expect(between).toBeGreaterThan(20);
  });

  test("between two pages the event loop takes several new connections, however short the pages are", async () => {
    // However slow this machine is: no time passes, and the loop is never idle.
    vi.spyOn(performance, "now").mockReturnValue(0);
    const begun: number[] = [];
    let loopTurns = 0;
    const short = async () => {
      const end = await turns.acquire("kept");
      begun.push(loopTurns);
      end();
    };
    const flood = Promise.all(Array.from({ length: 20 }, short));
    for (; begun.length < 20; loopTurns++) {
      active += 10;
      await turn();
    }
    await flood;
    const between = begun.slice(1).map((at, index) => at - (begun[index] ?? 0));
    expect(Math.min(...between)).toBeGreaterThanOrEqual(4);
  });

  test("who waits for something else than the event loop keeps nobody from it", async () => {
    const stuck = await taken(4, "stuck");
    (await turns.acquire("other"))();
    expect(stuck).toHaveLength(4);
  });

  test("who goes away while he waits gives up his place, and the work is never begun", async () => {
    const running = await taken(4, "a");
    const client = new AbortController();
    const waiting = turns.acquire("a", client.signal);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    for (const end of running) end();
    (await turns.acquire("a"))();
  });

  test("a queue has an end, and the longest one gives way", async () => {
    const running = await taken(4, "first");
    const begin = (network: string) => turns.acquire(network).then((end) => end());
    const waiting = Promise.allSettled(Array.from({ length: 600 }, () => begin("long")));
    await sleep(0);
    const others = Array.from({ length: 512 }, (_, index) => begin(`short ${index % 100}`));
    others.push(begin("person"));
    for (const end of running) end();
    await Promise.all(others);
    expect((await waiting).filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(88);
  });

  /** The request holds the event loop for as long as `busy` says. */
  async function whileDecoding(busy: () => boolean): Promise<{ hasBegun: () => boolean; end: () => void }> {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    const end = await turns.acquire("sender", undefined, new Promise(() => {}));
    let hasBegun = false;
    void turns.acquire("other").then(() => (hasBegun = true));
    for (let check = 0; check < 50; check++) {
      if (busy()) active += 10;
      await vi.advanceTimersByTimeAsync(10);
    }
    return { hasBegun: () => hasBegun, end };
  }

  test("while a body is being decoded nobody else's work begins", async () => {
    const { hasBegun, end } = await whileDecoding(() => true);
    expect(hasBegun()).toBe(false);
    end();
    while (!hasBegun()) await turn();
  });

  test("a pause of the decoder lets nobody else begin", async () => {
    let check = 0;
    const { hasBegun, end } = await whileDecoding(() => check++ % 10 === 9);
    expect(hasBegun()).toBe(false);
    end();
  });

  test("a request that waits for something else before its body is decoded keeps nobody from the loop", async () => {
    const { hasBegun, end } = await whileDecoding(() => false);
    expect(hasBegun()).toBe(true);
    end();
  });

  test("a body that is never decoded gives its turn up with the head of its response", async () => {
    const end = await turns.acquire("sender", undefined, new Promise(() => {}));
    const other = turns.acquire("other");
    end();
    (await other)();
    // From then on others begin beside one that waits for something else, as before: its turn does not end by itself.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    await turns.acquire("stuck");
    (await turns.acquire("other"))();
  });
});

/** So many at a time; so many wait in all, and for each name by its position. */
const queueOf = (atOnce: number, waiting: number, waitingFor: number[]) =>
  new Queue(
    { ofAll: { count: atOnce } },
    {
      ofName: waitingFor.map((count) => ({ count })),
      ofAll: { count: waiting },
      refusal: () => new Error("full"),
    },
  );

function stage(queue: Queue) {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, networks: [string, ...string[]], signal?: AbortSignal) => {
    const work = () => {
      begun.push(name);
      return new Promise<void>((end) => ends.push(end));
    };
    const done = queue.run(networks, work, signal);
    return done.then(
      () => "done",
      (error: Error) => error.message,
    );
  };
  const end = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, ask, end };
}

test("with two hundred of one network waiting, the one of another is next", async () => {
  const { begun, ask, end } = stage(queueOf(2, 1_000, [500]));
  const flood = Array.from({ length: 202 }, (_, n) => ask(`flood ${n}`, ["flood"]));
  const other = ask("other", ["other"]);
  expect(begun).toEqual(["flood 0", "flood 1"]);
  await end();
  expect(begun.at(-1)).toBe("other");
  while (begun.length < 203) await end();
  for (let left = 0; left < 2; left++) await end();
  expect(new Set(await Promise.all([...flood, other]))).toEqual(new Set(["done"]));
});

test("networks take turns, however many each has waiting, and those of one keep their order", async () => {
  const { begun, ask, end } = stage(queueOf(1, 1_000, [500]));
  for (let n = 0; n < 4; n++) void ask(`a${n}`, ["a"]);
  for (let n = 0; n < 3; n++) void ask(`b${n}`, ["b"]);
  void ask("c0", ["c"]);
  while (begun.length < 8) await end();
  expect(begun).toEqual(["a0", "b0", "a1", "c0", "b1", "a2", "b2", "a3"]);
  await end();
});

test("the networks of one /48 take turns as one", async () => {
  const { begun, ask, end } = stage(queueOf(1, 1_000, [5, 500]));
  for (let n = 0; n < 60; n++) void ask(`v6 ${n}`, [`/64 ${n}`, "/48"]);
  void ask("v4", ["v4"]);
  await end();
  expect(begun).toEqual(["v6 0", "v4"]);
  while (begun.length < 61) await end();
  await end();
});

test("beyond the limits of a network, of those around it and of all, there is no waiting", async () => {
  const { ask, end, begun } = stage(queueOf(1, 6, [2, 3]));
  const answers = ["a", "a", "a", "a", "b", "c"].map((network) => ask(network, [network, "wide"]));
  const others = ["d", "d", "e", "f"].map((network) => ask(network, [network]));
  const full = async (answer: Promise<string> | undefined) =>
    expect(await Promise.race([answer, Promise.resolve("waits")])).toBe("waits");
  // The first runs, two wait for its network; the next is one too many; "b" is the third of the wide network, "c" one
  // too many.
  expect(await answers[3]).toBe("full");
  expect(await answers[5]).toBe("full");
  await full(answers[4]);
  // Three of them and three more wait: the fourth is one too many in all.
  expect(await others[3]).toBe("full");
  for (let n = 0; n < 10; n++) await end();
  expect(begun.toSorted()).toEqual(["a", "a", "a", "b", "d", "d", "e"]);
  const again = ask("a", ["a", "wide"]);
  await end();
  expect(await again).toBe("done");
});

test("what nobody waits for any more never runs, and leaves its place to others", async () => {
  const { ask, end, begun } = stage(queueOf(1, 10, [1]));
  void ask("first", ["a"]);
  const gone = new AbortController();
  const dropped = ask("dropped", ["a"], gone.signal);
  expect(await ask("too many", ["a"])).toBe("full");
  gone.abort();
  expect(await dropped).toBe("full");
  expect(await ask("too late", ["a"], gone.signal)).toBe("full");
  const next = ask("next", ["a"]);
  await end();
  await end();
  expect(await next).toBe("done");
  expect(begun).toEqual(["first", "next"]);
});

test("work that fails makes room like any other", async () => {
  const queue = queueOf(1, 1, [1]);
  await expect(queue.run(["a"], () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await queue.run(["a"], async () => "done")).toBe("done");
});

test("one of each name at a time: others do not wait for it, and those of one keep their order", async () => {
  const queue = new Queue({ ofName: [{ count: 1 }] }, { ofName: [{ count: 2 }] });
  const { ask, end, begun } = stage(queue);
  const answers = ["a0", "a1", "b0", "a2", "a3", "b1"].map((name) => ask(name, [name.slice(0, 1)]));
  expect(begun).toEqual(["a0", "b0"]);
  expect(await answers[4]).toMatch(/unavailable/);
  for (let n = 0; n < 5; n++) await end();
  expect(begun).toEqual(["a0", "b0", "a1", "b1", "a2"]);
  expect([queue.places.all.size, queue.line.all.size]).toEqual([0, 0]);
});
