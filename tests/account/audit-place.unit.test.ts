import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { inPlace, MOST_EXPORTS } from "@/lib/operator/audit/place";

const CHUNKS = ["a", "b", "c"];
const LONG = 60_000;

async function* chunks(ended = () => {}): AsyncGenerator<string, void> {
  try {
    yield* CHUNKS;
  } finally {
    ended();
  }
}

/** All places, so that a test sees which are free. */
let taken: AsyncIterableIterator<string, void>[] = [];
const takeAll = (cut = () => {}, stalledMs = LONG) => {
  taken = Array.from({ length: MOST_EXPORTS }, () => inPlace(chunks(), cut, stalledMs));
  return taken;
};
const another = () => inPlace(chunks(), () => {}, LONG);
const refused = () => expect(another).toThrow(expect.objectContaining({ status: 503, code: "too_many_exports" }));

afterEach(async () => {
  for (const one of taken) await one.return?.();
});

test("an export is passed on whole, and leaves its place when it ends", async () => {
  const [first] = takeAll();
  refused();
  const came: string[] = [];
  if (first) for await (const chunk of first) came.push(chunk);
  expect(came).toEqual(CHUNKS);
  taken.push(another());
  refused();
});

test("a client that leaves frees its place once, whether it took something or not", async () => {
  const [first, second] = takeAll();
  await first?.next();
  await first?.return?.();
  await first?.return?.();
  taken.push(another());
  refused();
  await second?.return?.();
  taken.push(another());
  refused();
});

test("an export that fails leaves its place", async () => {
  async function* failing(): AsyncGenerator<string, void> {
    yield "a";
    throw new Error("no database");
  }
  const one = inPlace(failing(), () => {}, LONG);
  await one.next();
  await expect(one.next()).rejects.toThrow("no database");
  takeAll();
  refused();
});

test("a client that takes nothing is cut off, its export ends, and its place is free", async () => {
  const [cut, ended] = [vi.fn(), vi.fn()];
  const slow = inPlace(chunks(ended), cut, 50);
  const neverBegan = inPlace(chunks(), cut, 50);
  await slow.next();
  await expect.poll(() => cut.mock.calls.length).toBe(2);
  await expect.poll(() => ended.mock.calls.length).toBe(1);
  await expect(slow.next()).rejects.toThrow("took nothing");
  await expect(neverBegan.next()).rejects.toThrow("took nothing");
  takeAll();
  refused();
});

test("a client that takes something now and then is not cut off, however slow the database is", async () => {
  async function* slowly(): AsyncGenerator<string, void> {
    for (const chunk of CHUNKS) {
      await sleep(200);
      yield chunk;
    }
  }
  const cut = vi.fn();
  const one = inPlace(slowly(), cut, 150);
  for (const chunk of CHUNKS) {
    expect((await one.next()).value).toBe(chunk);
    await sleep(30);
  }
  expect((await one.next()).done).toBe(true);
  await sleep(200);
  expect(cut).not.toHaveBeenCalled();
});
