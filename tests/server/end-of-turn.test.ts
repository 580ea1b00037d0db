import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { atEndOfTurn, endOfTurn } from "@/lib/end-of-turn";

/** Counts the turns of the event loop until `work` has resolved. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  for (; !isDone; turns++) await nextTurn();
  return turns;
}

const done = () => new Promise<void>(atEndOfTurn);

describe("the end of a turn of the event loop", () => {
  test("comes for all that wait for it at once, after all that runs before it and what that leads to", async () => {
    const order: string[] = [];
    const chain = async (name: string, length: number) => {
      for (let n = 0; n < length; n++) await done();
      order.push(name);
      await endOfTurn();
      order.push("ended");
    };
    expect(await turnsOf(Promise.all([chain("none", 0), chain("one", 1), chain("five", 5)]))).toBe(1);
    expect(order).toEqual(["none", "one", "five", "ended", "ended", "ended"]);
  });

  test("comes again in the next turn", async () => {
    await endOfTurn();
    expect(await turnsOf(endOfTurn())).toBe(1);
  });

  test("comes after ten milliseconds, so that a chain of slow reads does not keep others from theirs", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let rounds = 0;
    const chain = (async () => {
      for (; rounds < 50; rounds++) {
        await done();
        vi.advanceTimersByTime(4);
      }
    })();
    await endOfTurn();
    expect(rounds).toBe(3);
    await chain;
    await nextTurn();
  });

  test("comes after a hundred rounds, so that a long chain does not keep others from theirs", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let rounds = 0;
    const chain = (async () => {
      for (; rounds < 1_000; rounds++) await done();
    })();
    await endOfTurn();
    expect(rounds).toBe(100);
    expect(await turnsOf(chain)).toBe(9);
  });
});
