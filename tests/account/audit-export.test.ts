import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ExportFormat, exportedEvents, inSlot, MAX_EXPORTS } from "@/lib/operator/audit/export";
import { auditAll } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { textOf } from "../support/documents";
import { statementsOf } from "../support/statements";
import { makeUser } from "../support/user";

const exported = (subjectId: string, format: ExportFormat) => textOf(exportedEvents({ subjectId }, format));

const HEAD = "\ufeffat,action,subject,actor,actorId,network,detail\r\n";
const at = new Date("2026-01-01T00:00:00Z");

test("an export without events says that it is complete", async () => {
  expect(await exported(newId(), "json")).toBe('{"complete":true,"events":0}\n');
  expect(await exported(newId(), "csv")).toBe(`${HEAD}complete,0,,,,,\r\n`);
});

test("both formats have every event, oldest first, and their number at the end", async () => {
  const [user, subjectId] = [await makeUser(), newId()];
  const event = (n: number) => ({
    at: new Date(at.getTime() + n),
    action: "key.add" as const,
    subjectId,
    actorId: n % 2 === 0 ? user.id : null,
    detail: { n: String(n), network: "198.51.100.7" },
  });
  const numbers = Array.from({ length: 1_201 }, (_, n) => n);
  await auditAll(numbers.map(event), db);
  const text = await exported(subjectId, "json");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.pop()).toEqual({ complete: true, events: 1_201 });
  expect(lines.map(({ detail }) => Number(detail.n))).toEqual(numbers);
  expect(lines[0]).toEqual({
    at: at.toISOString(),
    action: "key.add",
    subject: subjectId,
    actor: user.username,
    actorId: user.id,
    detail: event(0).detail,
  });
  const rows = (await exported(subjectId, "csv")).split("\r\n");
  expect(rows.slice(-2)).toEqual(["complete,1201,,,,,", ""]);
  expect(rows[1]).toBe(
    `${at.toISOString()},key.add,${subjectId},${user.username},${user.id},198.51.100.7,` +
      '"{""n"":""0"",""network"":""198.51.100.7""}"',
  );
  expect(rows.length).toBe(1_201 + 3);
});

test("a page is read when the one before it was taken, and nothing is read after a reader left", async () => {
  const subjectId = newId();
  const event = { at, action: "key.add" as const, subjectId, actorId: null };
  await auditAll(Array(1_500).fill(event), db);
  const chunks = exportedEvents({ subjectId }, "json");
  await chunks.next();
  expect(await statementsOf(async () => void (await chunks.return(undefined)))).toEqual([]);
  expect((await chunks.next()).done).toBe(true);
});

describe("places for exports", () => {
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
  const another = () => inSlot(chunks(), () => {}, LONG);
  const takeAll = () => {
    taken = Array.from({ length: MAX_EXPORTS }, another);
    return taken;
  };
  const refused = () => expect(another).toThrow(expect.objectContaining({ status: 503, code: "too_many_exports" }));

  afterEach(async () => {
    for (const one of taken) await one.return?.();
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

  test("a client that takes nothing is cut off, its export ends, and its place is free", async () => {
    const [cut, ended] = [vi.fn(), vi.fn()];
    const slow = inSlot(chunks(ended), cut, 50);
    const neverBegan = inSlot(chunks(), cut, 50);
    await slow.next();
    await expect.poll(() => cut.mock.calls.length).toBe(2);
    await expect.poll(() => ended.mock.calls.length).toBe(1);
    await expect(slow.next()).rejects.toThrow("took nothing");
    await expect(neverBegan.next()).rejects.toThrow("took nothing");
    takeAll();
    refused();
  });

  test("a client that takes something now and then is not cut off, however slow the database is", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    async function* slowly(): AsyncGenerator<string, void> {
      for (const chunk of CHUNKS) {
        vi.advanceTimersByTime(500);
        yield chunk;
      }
    }
    const cut = vi.fn();
    const one = inSlot(slowly(), cut, 400);
    for (const chunk of [...CHUNKS, undefined]) {
      expect((await one.next()).value).toBe(chunk);
      vi.advanceTimersByTime(399);
    }
    vi.advanceTimersByTime(1_000);
    expect(cut).not.toHaveBeenCalled();
  });
});
