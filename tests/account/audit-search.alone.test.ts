import { expect, test } from "vitest";
import { AUDIT_GROUPS, actionsNamed, readFilter } from "@/lib/operator/audit/filter";
import { auditPage, countNewer, newEvents } from "@/lib/operator/audit/page";
import type { EventRow } from "@/lib/operator/audit/queries";
import { type AuditFilter, searchEvents } from "@/lib/operator/audit/search";
import { auditAll, OPERATOR } from "@/lib/platform/audit";
import type { AuditAction } from "@/lib/platform/audit-events";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import { makeUser } from "@/tests/support/user";

const BEGIN = Date.UTC(2026, 0, 1);
const ACTIONS: AuditAction[] = ["key.create", "key.add", "user.signin", "token.use"];

const newWorld = () => ({
  actors: [newId(), newId()],
  subjects: [newId(), newId(), newId()],
  networks: [newNetwork().id, newNetwork().id],
});
type World = ReturnType<typeof newWorld>;

/** Events of every combination, a minute apart, in no order of anything but time. */
async function happen({ actors, subjects, networks }: World, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, n) => {
    const network = networks[(n * 5) % 3];
    return {
      at: new Date(BEGIN + n * 60_000),
      action: ACTIONS[(n * 7) % 4] ?? "key.create",
      subjectId: subjects[(n * 11) % 3] ?? "",
      actorId: actors[(n * 13) % 2] ?? null,
      ...(network !== undefined && { detail: { network } }),
    };
  });
  await auditAll(events, db);
}

const matches = (filter: AuditFilter) => (event: EventRow) =>
  (filter.actorId === undefined || event.actorId === filter.actorId) &&
  (filter.actions === undefined || filter.actions.includes(event.action)) &&
  (filter.subjectId === undefined || event.subjectId === filter.subjectId) &&
  (filter.network === undefined || event.network === filter.network) &&
  (filter.since === undefined || event.at >= filter.since) &&
  (filter.until === undefined || event.at <= filter.until);

async function allOf(filter: AuditFilter, order: "newest first" | "oldest first", size: number): Promise<EventRow[]> {
  const found: EventRow[] = [];
  for (let from: number | null | undefined; from !== null; ) {
    const between = order === "newest first" ? { before: from } : { after: from };
    const page = await searchEvents(filter, { order, size, ...between });
    expect(page.rows.length).toBeLessThanOrEqual(size);
    found.push(...page.rows);
    from = page.reached;
  }
  return found;
}

test("every combination of filters finds exactly what matches, in both orders and in pages of any size", async () => {
  const world = newWorld();
  await happen(world, 60);
  const [subject, actor] = [world.subjects[1], world.actors[1]];
  const byActor = world.actors.map((actorId) => allOf({ actorId }, "oldest first", 500));
  const ours = (await Promise.all(byActor)).flat().sort((a, b) => a.id - b.id);
  expect(ours.length).toBe(60);
  const [since, until] = [new Date(BEGIN + 10 * 60_000), new Date(BEGIN + 45 * 60_000)];
  const choices = [{}, { actions: ["key.create"] }, { actions: ["key.create", "key.add"] }];
  for (const actions of choices)
    for (const who of [{}, { actorId: actor }])
      for (const which of [{}, { subjectId: subject }])
        for (const where of [{}, { network: world.networks[0] }])
          for (const when of [{}, { since, until }, { since }]) {
            const filter: AuditFilter = { ...actions, ...who, ...which, ...where, ...when };
            // Others write at the same time: only our own events are known.
            if (!("actorId" in filter || "subjectId" in filter || "network" in filter)) continue;
            const expected = ours.filter(matches(filter)).map(({ id }) => id);
            for (const size of [7, 500]) {
              const oldest = (await allOf(filter, "oldest first", size)).map(({ id }) => id);
              expect(oldest, JSON.stringify(filter)).toEqual(expected);
              const newest = (await allOf(filter, "newest first", size)).map(({ id }) => id);
              expect(newest.reverse(), JSON.stringify(filter)).toEqual(expected);
            }
          }
});

test("a search among many that match one filter each is interrupted, says how far it came, and continues", async () => {
  const { actors, subjects } = newWorld();
  const [actorId = "", subjectId = ""] = [actors[0], subjects[0]];
  const event = { at: new Date(BEGIN), action: "key.update" as const };
  await auditAll([{ ...event, actorId, subjectId }], db);
  for (let n = 0; n < 6; n++) {
    const other = () => (n % 2 ? { actorId: null, subjectId } : { actorId, subjectId: newId() });
    const many = Array.from({ length: 1_000 }, () => ({ ...event, ...other() }));
    await auditAll(many, db);
  }
  const filter = { actorId, subjectId };
  const hurried = await searchEvents(filter, { order: "newest first", size: 10, patienceMs: 0 });
  expect(hurried.rows).toEqual([]);
  expect(hurried.reached).toBeGreaterThan(0);
  const found: EventRow[] = [];
  let steps = 0;
  for (let before: number | null | undefined; before !== null; steps++) {
    const step = await searchEvents(filter, { order: "newest first", size: 10, before, patienceMs: 0 });
    found.push(...step.rows);
    before = step.reached;
  }
  expect(found.length).toBe(1);
  expect(steps).toBeGreaterThan(1);
  expect(
    (await searchEvents(filter, { order: "newest first", size: 10, patienceMs: Number.POSITIVE_INFINITY })).rows.length,
  ).toBe(1);
});

test("a page names people, leads to the next, and counts what is newer", async () => {
  const [alice, bob] = await Promise.all([makeUser(), makeUser()]);
  const event = (n: number) => ({
    at: new Date(BEGIN + n),
    action: "user.disable" as const,
    subjectId: bob.id,
    actorId: alice.id,
  });
  const others = [newId(), OPERATOR, null].map((actorId, n) => ({ ...event(3 + n), actorId }));
  await auditAll([...[0, 1, 2].map(event), ...others], db);
  const filter = { subjectId: bob.id };
  const page = await auditPage(filter, 4);
  expect(page.events.map(({ actor }) => actor)).toEqual([null, OPERATOR, null, alice.username]);
  for (const { subject } of page.events) expect(subject).toBe(bob.username);
  const rest = await auditPage(filter, 4, page.next ?? 0);
  expect(rest.events.length).toBe(2);
  expect(rest.next).toBeNull();
  expect(await auditPage(filter, 6)).toMatchObject({ next: null, searchedBackTo: null });
  await auditAll([6, 7, 8].map(event), db);
  expect(await countNewer(filter, page.newest, 100)).toBe(3);
  expect(await countNewer(filter, page.newest, 2)).toBe(2);
});

test("new events are followed, each once, until it is stopped", async () => {
  const { subjects } = newWorld();
  const [subjectId = ""] = subjects;
  const event = (n: number) => ({
    at: new Date(),
    action: "key.add" as const,
    subjectId,
    actorId: null,
    detail: { n: `${n}` },
  });
  await auditAll([event(0)], db);
  const after = (await searchEvents({ subjectId }, { order: "newest first", size: 1 })).rows[0]?.id ?? 0;
  const stopped = new AbortController();
  const seen: (string | undefined)[] = [];
  const following = (async () => {
    for await (const events of newEvents({ subjectId }, after, { signal: stopped.signal, everyMs: 20 })) {
      seen.push(...events.map(({ detail }) => detail.n));
      if (seen.length >= 40) stopped.abort();
    }
  })();
  for (let n = 1; n <= 40; n++) await auditAll([event(n)], db);
  await following;
  expect(seen.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
});

test("a filter is read as people write it", async () => {
  const user = await makeUser();
  const read = (typed: Parameters<typeof readFilter>[0]) => readFilter(typed, new Date("2026-03-31T12:00:00Z"));
  for (const [typed, filter] of [
    [{}, {}],
    [{ who: ` ${user.username.toUpperCase()} ` }, { actorId: user.id }],
    [{ who: "operator" }, { actorId: OPERATOR }],
    [{ who: "nobody" }, { actorId: null }],
    [{ which: user.username }, { subjectId: user.id }],
    [{ which: "proxies" }, { subjectId: "proxies" }],
    [{ what: "key" }, { actions: actionsNamed("key") }],
    [{ what: "key.add" }, { actions: ["key.add"] }],
    [{ network: "2001:db8:1:2:3::4" }, { network: "2001:db8:1:2::/64" }],
    [{ network: "127.0.0.1" }, { network: "loopback" }],
    [{ network: "203.0.113.9/24" }, { network: "203.0.113.0/24" }],
  ] as const)
    expect(await read(typed)).toEqual(filter);
  const asIs = ["203.0.113.7", "2001:db8:1:2::/64", "loopback", "unknown", "unconfigured proxy 10.0.0.1"];
  // The last two as the events of blocks have them.
  for (const network of [...asIs, "203.0.113.0/24", "2001:db8:1::/48"])
    expect(await read({ network })).toEqual({ network });
  expect(await read({ from: "2026-02-01", to: "2026-02-01" })).toEqual({
    since: new Date("2026-02-01T00:00:00.000Z"),
    until: new Date("2026-02-01T23:59:59.999Z"),
  });
  expect(await read({ from: "90m", to: "2026-03-31T11:30" })).toEqual({
    since: new Date("2026-03-31T10:30:00Z"),
    until: new Date("2026-03-31T11:30:59.999Z"),
  });
  expect(await codeOf(read({ who: "no-such-user-here" }))).toBe("user_not_found");
  expect(AUDIT_GROUPS).toContain("link");
});

test.each([
  { who: "a".repeat(101) },
  { who: "\u0000" },
  { what: "key.creat" },
  { network: "example.com" },
  { network: "203.0.113.0/33" },
  { which: "x\ud800" },
  { from: "2026-02-31" },
  { from: "yesterday" },
  { to: "2026-01-01T25:00" },
  { from: "2026-02-02", to: "2026-02-01" },
])("a filter %j is refused", async (typed) => {
  expect(await codeOf(readFilter(typed))).toBe("invalid_parameter");
});
