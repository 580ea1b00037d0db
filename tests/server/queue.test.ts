import { expect, test } from "vitest";
import { Queue } from "@/lib/platform/queue";

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
