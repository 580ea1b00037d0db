import { performance } from "node:perf_hooks";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import { atEndOfTurn, endOfTurn, inOrder } from "@/lib/platform/event-loop";

afterEach(() => void vi.useRealTimers());

describe("the end of a turn of the event loop", () => {
  async function turnsOf(work: Promise<unknown>): Promise<number> {
    let turns = 0;
    let isDone = false;
    void work.then(() => (isDone = true));
    for (; !isDone; turns++) await turn();
    return turns;
  }

  const done = () => new Promise<void>(atEndOfTurn);

  test("comes for all that wait for it at once, after all that runs before it and what that leads to", async () => {
    // On a busy machine, ten milliseconds may pass.
    vi.useFakeTimers({ toFake: ["performance"] });
    const order: string[] = [];
    const chain = async (name: string, length: number) => {
      for (let n = 0; n < length; n++) await done();
      order.push(name);
      await endOfTurn();
      order.push("ended");
    };
    expect(await turnsOf(Promise.all([chain("none", 0), chain("one", 1), chain("five", 5)]))).toBe(1);
    expect(order).toEqual(["none", "one", "five", "ended", "ended", "ended"]);
    expect(await turnsOf(endOfTurn())).toBe(1);
  });

  test.each([
    ["ten milliseconds", 50, 4, 3, 16],
    ["a hundred rounds", 1_000, 0, 100, 9],
  ])("comes after %s, so that a long chain does not keep others from theirs", async (_, length, ms, first, turns) => {
    vi.useFakeTimers({ toFake: ["performance"] });
    let rounds = 0;
    const chain = (async () => {
      for (; rounds < length; rounds++) {
        await done();
        vi.advanceTimersByTime(ms);
      }
    })();
    await endOfTurn();
    expect(rounds).toBe(first);
    expect(await turnsOf(chain)).toBe(turns);
  });
});

describe("work that comes all at once", () => {
  const busy = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };

  test("is spread over turns of the event loop, in the order in which it came", async () => {
    const run = inOrder();
    const [done, at]: [number[], number[]] = [[], []];
    let loopTurns = 0;
    const work = (n: number) => () => {
      // What it leads to counts as well.
      void Promise.resolve().then(() => {
        busy(4);
        done.push(n);
        at.push(loopTurns);
      });
    };
    // Each comes by itself, as requests do, and all in one turn.
    for (let n = 0; n < 20; n++) setImmediate(() => run(work(n)));
    for (; done.length < 20; loopTurns++) await turn();
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
    const most = Math.max(...Array.from({ length: loopTurns }, (_, at0) => at.filter((one) => one === at0).length));
    expect(most).toBeLessThanOrEqual(6);
  });

  test("does not wait for other work that comes all the time", async () => {
    const [runLong, runShort] = [inOrder(), inOrder()];
    let isOver = false;
    const again = () => {
      busy(4);
      if (!isOver) setImmediate(() => runLong(again));
    };
    for (let n = 0; n < 20; n++) runLong(again);
    await turn();
    let loopTurns = 0;
    let done = 0;
    for (let n = 0; n < 20; n++)
      runShort(() => {
        busy(1);
        done++;
      });
    for (; done < 20 && loopTurns < 20; loopTurns++) await turn();
    isOver = true;
    expect(done).toBe(20);
  });

  test("of one kind does not wait for all of another, and each kind stays in its order", async () => {
    const run = inOrder();
    const done: string[] = [];
    const work = (name: string) => () => {
      busy(4);
      done.push(name);
    };
    for (let n = 0; n < 20; n++) run(work(`many ${n}`), "many");
    for (let n = 0; n < 3; n++) run(work(`few ${n}`), "few");
    while (done.length < 23) await turn();
    expect(done.indexOf("few 2")).toBeLessThan(12);
    for (const kind of ["many", "few"]) {
      const own = done.filter((name) => name.startsWith(kind));
      expect(own).toEqual(own.map((_, n) => `${kind} ${n}`));
    }
  });

  test("of a kind that comes anew passes those that come all the time, and keeps none of them out", async () => {
    const run = inOrder();
    const done: string[] = [];
    let isOver = false;
    const again = (name: string) => () => {
      busy(2);
      done.push(name);
      if (!isOver) setImmediate(() => run(again(name), name));
    };
    for (let n = 0; n < 48; n++) run(again(`kept ${n}`), `kept ${n}`);
    while (done.length < 100) await turn();
    const before = done.length;
    run(() => done.push("visitor"), "visitor");
    while (done.length < before + 48) await turn();
    expect(done.indexOf("visitor") - before).toBeLessThan(4);

    // More new ones than can be served.
    const visit = (n: number) => () => {
      busy(2);
      done.push("visitor");
      for (const next of [2 * n, 2 * n + 1]) if (!isOver) run(visit(next), `visitor ${next}`);
    };
    const after = done.length;
    run(visit(1), "visitor 1");
    while (done.length < after + 200) await turn();
    isOver = true;
    const kept = done.slice(after).filter((name) => name !== "visitor");
    expect(new Set(kept).size).toBe(48);
    for (let last = -1; last !== done.length; await turn()) last = done.length;
  });

  test("of several turns ends before more begins, but does not wait for what others do without end", async () => {
    const run = inOrder();
    let [begun, ended, most, isOver] = [0, 0, 0, false];
    const work = async () => {
      most = Math.max(most, ++begun - ended);
      for (let step = 0; step < 5; step++) {
        busy(4);
        await turn();
      }
      ended++;
    };
    for (let n = 0; n < 20; n++) setImmediate(() => run(() => void work()));
    while (ended < 20) await turn();
    // Without it, fifteen are.
    expect(most).toBeLessThan(10);

    const others = () => {
      busy(12);
      if (!isOver) setImmediate(others);
    };
    others();
    for (let n = 0; n < 20; n++) run(() => void work());
    while (ended < 40) await turn();
    isOver = true;
  });

  test("is done at once, if there is little of it", async () => {
    const run = inOrder();
    await turn();
    const done: number[] = [];
    for (let n = 0; n < 5; n++) run(() => done.push(n));
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });
});
