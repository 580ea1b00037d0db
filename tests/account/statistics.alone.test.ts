import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { cached, MAX_DAYS, type Period, recordHours, statisticsOf } from "@/lib/operator/statistics";
import { sweepAll } from "@/lib/operator/sweep";
import { auditAll } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";
import { addRefusals, noteRefusal, REFUSED } from "@/lib/platform/limits/refusals";
import { DAY_MS, HOUR_MS, later } from "@/lib/platform/time";
import { statementsOf } from "@/tests/support/statements";
import { chunks, smallDocument } from "../support/documents";
import { makeUser } from "../support/user";

/** A Sunday in the middle of an hour: clocks are put forward this night where there is summer time. */
const NOW = new Date("2026-03-29T12:34:00.000Z");
const ago = (ms: number) => later(NOW, -ms);
const MINUTE_MS = 60_000;

beforeEach(async () => {
  await addRefusals();
  await db.$transaction([db.measurement.deleteMany(), db.auditEvent.deleteMany(), db.linkCode.deleteMany()]);
});

function happened(action: AuditAction, ...times: Date[]) {
  const events = times.map((at) => ({ at, action, subjectId: newId(), actorId: null }));
  return auditAll(events, db);
}

type Code = { status: string; collectBy?: Date };

async function code(createdAt: Date, { status, collectBy }: Code = { status: "pending" }): Promise<string> {
  const id = newId();
  const expiresAt = later(createdAt, 10 * MINUTE_MS);
  await db.linkCode.create({
    data: { id, status, createdAt, expiresAt, collectBy: collectBy ?? null, network: "n", program: "p" },
  });
  return id;
}

const COUNTED = ["signIns", "signUps", "asked", "linked", "denied", "expired"] as const;
const counted = (period: Period) =>
  COUNTED.flatMap((name) => (period[name] ? [`${period[name]} ${name}`] : [])).join(", ");
const read = async (step: "hour" | "day", count: number, now = NOW) =>
  (await statisticsOf({ step, count }, { value: await recordHours(now), at: now }, now)).periods;
const hours = async (count: number, now = NOW) => (await read("hour", count, now)).map(counted);
const days = async (count: number, now = NOW) => (await read("day", count, now)).map(counted);

describe("the statistics", () => {
  test("count each event in its hour and day of UTC, once, however often they are recorded", async () => {
    await happened("user.signin", ago(3 * DAY_MS), ago(HOUR_MS), ago(HOUR_MS), ago(10 * MINUTE_MS));
    await happened("user.create", new Date("2026-03-28T23:59:59.999Z"), new Date("2026-03-29T00:00:00.000Z"));
    for (let times = 0; times < 3; times++) await recordHours(NOW);
    expect(await hours(2)).toEqual(["2 signIns", "1 signIns"]);
    expect(await days(4)).toEqual(["1 signIns", "", "1 signUps", "3 signIns, 1 signUps"]);
    await happened("user.signin", ago(9 * MINUTE_MS));
    expect(await days(1)).toEqual(["4 signIns, 1 signUps"]);
  });

  test("count thousands of events in several steps", async () => {
    await happened("user.signin", ...Array.from({ length: 4_500 }, () => ago(HOUR_MS)));
    const sent = await statementsOf(() => recordHours(NOW));
    const steps = sent.filter((text) => /FROM\s+"AuditEvent" e\s+WHERE \(?e\."action"/.test(text));
    expect(steps.length).toBeGreaterThanOrEqual(9);
    const [before, now] = await read("hour", 2);
    expect([before?.signIns, now?.users]).toEqual([4_500, await db.user.count()]);
  });

  test("count what a slower transaction commits later, some minutes after its hour, too", async () => {
    await happened("user.signin", ago(MINUTE_MS));
    expect(await hours(1)).toEqual(["1 signIns"]);
    await happened("user.signin", ago(2 * MINUTE_MS));
    const after = later(NOW, 40 * MINUTE_MS);
    expect(await hours(2, after)).toEqual(["2 signIns", ""]);
    await happened("user.signin", ago(3 * MINUTE_MS));
    expect(await hours(2, after)).toEqual(["3 signIns", ""]);
  });

  test("do not wait for a clock that was in the future", async () => {
    await happened("user.signin", later(NOW, 365 * DAY_MS), ago(HOUR_MS));
    expect(await hours(2)).toEqual(["1 signIns", ""]);
  });

  test("say of every code what became of it, in the hour in which it was issued", async () => {
    const at = ago(2 * HOUR_MS);
    for (const status of ["collected", "collected", "denied", "pending"]) await code(at, { status });
    await code(at, { status: "approved", collectBy: later(at, 5 * MINUTE_MS) });
    const open = await code(ago(MINUTE_MS));
    expect(await hours(3)).toEqual(["5 asked, 2 linked, 1 denied, 2 expired", "", "1 asked"]);
    await db.linkCode.update({ where: { id: open }, data: { status: "collected" } });
    const next = later(NOW, 2 * HOUR_MS);
    expect((await hours(3, next))[0]).toBe("1 asked, 1 linked");
    expect(await days(1, next)).toEqual(["6 asked, 3 linked, 1 denied, 2 expired"]);
  });

  test("record once an hour how many codes each network asked for, and how many all others", async () => {
    const hour = new Date("2026-03-29T11:00:00.000Z");
    const inHour = (ms: number) => later(hour, ms);
    const ask = async (network: string, ...times: Date[]) => {
      for (const at of times) await db.linkCode.update({ where: { id: await code(at) }, data: { network } });
    };
    await ask("1.2.3.4", hour, inHour(20 * MINUTE_MS), inHour(HOUR_MS - 1));
    await ask("2001:db8::/64", inHour(1));
    await ask("1.2.3.4", inHour(HOUR_MS));
    const trail = () => db.auditEvent.findMany({ orderBy: { id: "asc" } });
    await recordHours(inHour(HOUR_MS + 16 * MINUTE_MS));
    expect(await trail()).toEqual([]);
    const settled = inHour(HOUR_MS + 17 * MINUTE_MS);
    await Promise.all([recordHours(settled), recordHours(settled), recordHours(settled)]);
    const said = (network: string, codes: string) => {
      const detail = JSON.stringify({ network, codes, hour: hour.toISOString() });
      return expect.objectContaining({ at: settled, action: "link.ask", subjectId: network, detail, network });
    };
    expect(await trail()).toEqual([said("1.2.3.4", "3"), said("2001:db8::/64", "1")]);
    expect(await hours(2, settled)).toEqual(["4 asked, 4 expired", "1 asked, 1 expired"]);
  });

  test("are right after the sweep did not run for twenty days, and outlive what they counted", async () => {
    await happened("user.signin", ago(20 * DAY_MS));
    await code(ago(20 * DAY_MS), { status: "denied" });
    await recordHours(ago(20 * DAY_MS - 5 * MINUTE_MS));
    await happened("user.signin", ago(19 * DAY_MS), ago(19 * DAY_MS), ago(5 * DAY_MS));
    await happened("link.ask", ago(19 * DAY_MS));
    await code(ago(19 * DAY_MS));
    await sweepAll(NOW);
    expect(await db.linkCode.count()).toBe(0);
    await db.auditEvent.deleteMany();
    await sweepAll(later(NOW, 10 * MINUTE_MS));
    const counts = await days(21);
    expect(counts.slice(0, 2)).toEqual(["1 signIns, 1 asked, 1 denied", "2 signIns, 1 asked, 1 expired"]);
    expect(counts[15]).toBe("1 signIns");
  });

  test("keep 30 days, and know as many of events when they begin", async () => {
    const longAgo = Array.from({ length: 6 }, (_, n) => ago(n * 10 * DAY_MS + HOUR_MS));
    await happened("user.signin", ...longAgo.reverse());
    const signIns = async (now: Date) => (await days(MAX_DAYS, now)).filter((day) => day === "1 signIns").length;
    expect(await signIns(NOW)).toBe(3);
    await db.auditEvent.deleteMany();
    const next = later(NOW, 15 * DAY_MS);
    expect(await signIns(next)).toBe(2);
    expect(await db.measurement.count({ where: { at: { lt: later(next, -MAX_DAYS * DAY_MS) } } })).toBe(0);
  });

  test("measure what is stored, at the end of each hour and day", async () => {
    const user = await makeUser();
    await createKey({ ...user, role: "user" }, { data: "äöü", price: "1", name: "" });
    const [before] = await read("hour", 1);
    await createKey({ ...user, role: "user" }, { data: "12345", price: "1", name: "" });
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    await makeUser();
    const next = later(NOW, HOUR_MS);
    const [hour] = await read("hour", 1, next);
    const [day] = await read("day", 1, next);
    expect(before?.users).toBe((await db.user.count()) - 1);
    expect([hour?.users, hour?.keys]).toEqual([(before?.users ?? 0) + 1, (before?.keys ?? 0) + 1]);
    expect((hour?.keyBytes ?? 0) - (before?.keyBytes ?? 0)).toBe(5);
    expect(hour?.fileBytes).toBeGreaterThan(before?.fileBytes ?? 0);
    expect([day?.users, day?.keyBytes, day?.fileBytes]).toEqual([hour?.users, hour?.keyBytes, hour?.fileBytes]);
    expect((await read("hour", 3, next))[0]?.users).toBeNull();
  });
});

test("a count runs once at a time; meanwhile, a page gets the last one, with its time", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  let finish = (_value: number) => {};
  const { now, soon } = cached(newId(), () => {
    runs++;
    return new Promise<number>((resolve) => {
      finish = resolve;
    });
  });
  expect(await soon()).toBeNull();
  const both = Promise.all([now(), now()]);
  finish(7);
  const [first, other] = await both;
  expect(first).toEqual({ value: 7, at: expect.any(Date) });
  expect(other).toBe(first);
  expect(await soon()).toBe(first);
  expect(runs).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(await soon()).toBe(first);
  expect(runs).toBe(2);
  finish(8);
  expect((await now()).value).toBe(8);
});

test("a count that fails leaves the last one, and is tried again", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let value = 0;
  const { now, soon } = cached(newId(), async () => {
    if (++value === 2) throw new Error("The database is away.");
    return value;
  });
  expect((await soon())?.value).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect((await soon())?.value).toBe(1);
  expect((await now()).value).toBe(3);
});

describe("refusals", () => {
  const refused = async (step: "hour" | "day", count: number) =>
    (await read(step, count)).map(({ refusals }) => refusals);

  test("are counted by limit in memory, and added without losing any", async () => {
    for (let n = 0; n < 7; n++) noteRefusal("link polls", ago(HOUR_MS));
    noteRefusal("link codes", NOW);
    expect(await db.measurement.count()).toBe(0);
    await Promise.all([addRefusals(), addRefusals()]);
    noteRefusal("link polls", NOW);
    await addRefusals();
    expect(await refused("day", 1)).toEqual([{ "link polls": 8, "link codes": 1 }]);
    expect(await refused("hour", 2)).toEqual([{ "link polls": 7 }, { "link polls": 1, "link codes": 1 }]);
    await recordHours(later(NOW, 40 * DAY_MS));
    expect(await db.measurement.count({ where: { name: { startsWith: REFUSED } } })).toBe(0);
  });

  test("come from the limits themselves", async () => {
    const name = newId();
    const limit = limiter(name, 1, 60);
    for (let n = 0; n < 4; n++) await limit.consume("somebody");
    await addRefusals();
    const rows = await db.measurement.findMany({ where: { name: REFUSED + name } });
    expect(rows.reduce((sum, { value }) => sum + Number(value), 0)).toBe(3);
  });
});
