import { beforeEach, describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { HOURS_RETENTION_DAYS, pauseAfter, rollUp } from "@/lib/operator/statistics/roll-up";
import { type Period, statisticsOf } from "@/lib/operator/statistics/view";
import { sweepAll } from "@/lib/operator/sweep";
import { auditAll } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { limiter } from "@/lib/platform/limits/limits";
import { addRefusals, noteRefusal } from "@/lib/platform/limits/refusals";
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
  await db.$transaction([
    db.statistic.deleteMany(),
    db.refusal.deleteMany(),
    db.statisticsMark.deleteMany(),
    db.auditEvent.deleteMany(),
    db.linkCode.deleteMany(),
  ]);
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
const hours = async (count: number, now = NOW) => (await statisticsOf("hour", count, now)).map(counted);
const days = async (count: number, now = NOW) => (await statisticsOf("day", count, now)).map(counted);

describe("the statistics", () => {
  test("count each event in its hour and day of UTC, once, however often they are brought up to date", async () => {
    await happened("user.signin", ago(3 * DAY_MS), ago(HOUR_MS), ago(HOUR_MS), ago(10 * MINUTE_MS));
    await happened("user.create", new Date("2026-03-28T23:59:59.999Z"), new Date("2026-03-29T00:00:00.000Z"));
    for (let times = 0; times < 3; times++) await rollUp(NOW);
    expect(await hours(2)).toEqual(["2 signIns", "1 signIns"]);
    expect(await days(4)).toEqual(["1 signIns", "", "1 signUps", "3 signIns, 1 signUps"]);
    await happened("user.signin", ago(9 * MINUTE_MS));
    await rollUp(NOW);
    expect(await days(1)).toEqual(["4 signIns, 1 signUps"]);
  });

  test("count thousands of events in several steps", async () => {
    await happened("user.signin", ...Array.from({ length: 4_500 }, () => ago(HOUR_MS)));
    const sent = await statementsOf(() => rollUp(NOW));
    expect(sent.filter((text) => /FROM\s+"AuditEvent" a/.test(text))).toHaveLength(3);
    const [before, now] = await statisticsOf("hour", 2, NOW);
    expect([before?.signIns, now?.users]).toEqual([4_500, await db.user.count()]);
  });

  test("wait for events that a slower transaction may still commit before them", async () => {
    await happened("user.signin", ago(MINUTE_MS));
    await rollUp(NOW);
    expect(await hours(1)).toEqual([""]);
    const soon = later(NOW, 5 * MINUTE_MS);
    await rollUp(soon);
    expect(await hours(1, soon)).toEqual(["1 signIns"]);
  });

  test("do not wait for a clock that was in the future", async () => {
    await happened("user.signin", later(NOW, 365 * DAY_MS), ago(HOUR_MS));
    await rollUp(NOW);
    expect(await hours(2)).toEqual(["1 signIns", ""]);
  });

  test("say of every code what became of it, in the hour in which it was issued", async () => {
    const at = ago(2 * HOUR_MS);
    for (const status of ["collected", "collected", "denied", "pending"]) await code(at, { status });
    await code(at, { status: "approved", collectBy: later(at, 5 * MINUTE_MS) });
    const open = await code(ago(MINUTE_MS));
    await rollUp(NOW);
    expect(await hours(3)).toEqual(["5 asked, 2 linked, 1 denied, 2 expired", "", "1 asked"]);
    await db.linkCode.update({ where: { id: open }, data: { status: "collected" } });
    const next = later(NOW, 2 * HOUR_MS);
    await rollUp(next);
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
    await rollUp(inHour(HOUR_MS + 16 * MINUTE_MS));
    expect(await trail()).toEqual([]);
    const settled = inHour(HOUR_MS + 17 * MINUTE_MS);
    await Promise.all([rollUp(settled), rollUp(settled), rollUp(settled)]);
    const said = (network: string, codes: string) => {
      const detail = JSON.stringify({ network, codes, hour: hour.toISOString() });
      return expect.objectContaining({ at: settled, action: "link.ask", subjectId: network, detail, network });
    };
    expect(await trail()).toEqual([said("1.2.3.4", "3"), said("2001:db8::/64", "1")]);
    expect(await hours(2, settled)).toEqual(["4 asked, 4 expired", "1 asked, 1 expired"]);
  });

  test("are right after the sweep did not run for forty days, and outlive what they counted", async () => {
    await happened("user.signin", ago(40 * DAY_MS));
    await code(ago(40 * DAY_MS), { status: "denied" });
    await rollUp(ago(40 * DAY_MS - 5 * MINUTE_MS));
    await happened("user.signin", ago(39 * DAY_MS), ago(39 * DAY_MS), ago(5 * DAY_MS));
    await happened("link.ask", ago(39 * DAY_MS));
    await code(ago(39 * DAY_MS));
    await sweepAll(NOW);
    expect(await db.linkCode.count()).toBe(0);
    await db.auditEvent.deleteMany();
    await sweepAll(later(NOW, 10 * MINUTE_MS));
    const counts = await days(41);
    expect(counts.slice(0, 2)).toEqual(["1 signIns, 1 asked, 1 denied", "2 signIns, 1 asked, 1 expired"]);
    expect(counts[35]).toBe("1 signIns");
  });

  test("keep hours for 31 days and days for ever, and know years of events when they begin", async () => {
    const longAgo = Array.from({ length: 60 }, (_, n) => ago(n * 10 * DAY_MS + HOUR_MS));
    const signIns = async () => (await statisticsOf("day", 600, NOW)).reduce((sum, { signIns }) => sum + signIns, 0);
    await happened("user.signin", ...longAgo.reverse());
    await rollUp(NOW);
    expect(await signIns()).toBe(60);
    const oldest = await db.statistic.findFirstOrThrow({ where: { span: "hour" }, orderBy: { at: "asc" } });
    expect(oldest.at.getTime()).toBeGreaterThanOrEqual(NOW.getTime() - (HOURS_RETENTION_DAYS + 1) * DAY_MS);
    await rollUp(later(NOW, 60 * DAY_MS));
    expect(await db.statistic.count({ where: { span: "hour", at: { lt: NOW } } })).toBe(0);
    expect(await signIns()).toBe(60);
  });

  test("measure what is stored, at the end of each hour and day", async () => {
    const user = await makeUser();
    await createKey({ ...user, role: "user" }, { data: "äöü", price: "1", name: "" });
    await rollUp(NOW);
    const [before] = await statisticsOf("hour", 1, NOW);
    await createKey({ ...user, role: "user" }, { data: "12345", price: "1", name: "" });
    await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
    await makeUser();
    const next = later(NOW, HOUR_MS);
    await rollUp(next);
    const [hour] = await statisticsOf("hour", 1, next);
    const [day] = await statisticsOf("day", 1, next);
    expect(before?.users).toBe((await db.user.count()) - 1);
    expect([hour?.users, hour?.keys]).toEqual([(before?.users ?? 0) + 1, (before?.keys ?? 0) + 1]);
    expect((hour?.keyBytes ?? 0) - (before?.keyBytes ?? 0)).toBe(5);
    expect(hour?.fileBytes).toBeGreaterThan(before?.fileBytes ?? 0);
    expect([day?.users, day?.keyBytes, day?.fileBytes]).toEqual([hour?.users, hour?.keyBytes, hour?.fileBytes]);
    expect((await statisticsOf("hour", 3, next))[0]?.users).toBeNull();
  });

  test("measure seldom what takes long, but every hour", () => {
    expect([0, 10_000, 60_000, 600_000].map((took) => pauseAfter(took) / MINUTE_MS)).toEqual([4, 4, 20, 50]);
  });
});

describe("refusals", () => {
  const refused = async (count: number, now = NOW) =>
    (await statisticsOf("day", count, now)).map(({ refusals }) => refusals);

  test("are counted by limit in memory, and added without losing any", async () => {
    for (let n = 0; n < 7; n++) noteRefusal("link polls", ago(HOUR_MS));
    noteRefusal("link codes", NOW);
    expect(await db.refusal.count()).toBe(0);
    await Promise.all([addRefusals(), addRefusals()]);
    noteRefusal("link polls", NOW);
    await addRefusals();
    await rollUp(NOW);
    await rollUp(NOW);
    expect(await refused(1)).toEqual([{ "link polls": 8, "link codes": 1 }]);
    expect((await statisticsOf("hour", 2, NOW)).map(({ refusals }) => refusals)).toEqual([
      { "link polls": 7 },
      { "link polls": 1, "link codes": 1 },
    ]);
    const next = later(NOW, 40 * DAY_MS);
    await rollUp(next);
    expect(await db.refusal.count({ where: { span: "hour" } })).toBe(0);
    expect(await refused(41, next)).toEqual([{ "link polls": 8, "link codes": 1 }, ...Array(40).fill({})]);
  });

  test("come from the limits themselves", async () => {
    const name = newId();
    const limit = limiter(name, 1, 60);
    for (let n = 0; n < 4; n++) await limit.consume("somebody");
    await addRefusals();
    const rows = await db.refusal.findMany({ where: { limit: name } });
    expect(rows.reduce((sum, { count }) => sum + Number(count), 0)).toBe(3);
  });
});
