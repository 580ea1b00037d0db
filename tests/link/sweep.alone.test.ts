import { expect, it } from "vitest";
import { rotateToken } from "@/lib/accounts/identity/token";
import { denyRequest } from "@/lib/link/approve";
import { first64Bits, hashCode } from "@/lib/link/code";
import { linkedPrograms } from "@/lib/link/list";
import { sweepLinks } from "@/lib/link/sweep";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { approved, at, collect, newRequest, requested, START } from "./flow";

const masks = (id: string) => db.linkMask.count({ where: { linkId: id } });
const day = 86_400;

it("takes the masks of dead codes at once, and leaves those of live ones", async () => {
  const [pending, denied, open, collected] = [
    await newRequest(),
    await requested(),
    await approved(),
    await approved(),
  ];
  await denyRequest(denied.actor, denied.id, { now: START });
  await collect(collected.code, collected.network, at(1));
  await sweepLinks(at(10));
  expect(await Promise.all([pending, denied, open, collected].map(({ id }) => masks(id)))).toEqual([1, 0, 1, 1]);
  await sweepLinks(at(11));
  expect(await Promise.all([pending, open, collected].map(({ id }) => masks(id)))).toEqual([1, 1, 0]);
  await sweepLinks(at(300));
  expect(await Promise.all([pending, open].map(({ id }) => masks(id)))).toEqual([1, 0]);
  await sweepLinks(at(600));
  expect(await masks(pending.id)).toBe(0);
  expect(await db.linkCode.count({ where: { id: { in: [pending.id, denied.id, open.id, collected.id] } } })).toBe(4);
});

it("takes codes that were approved after 30 days, but for the links of programs that still work", async () => {
  const past = at(-1_000 * day);
  const approvedThen = () => approved(newNetwork(), past);
  const [linked, revoked, deleted] = [await approvedThen(), await approvedThen(), await approvedThen()];
  for (const { code, network } of [linked, revoked, deleted]) expect(await collect(code, network, past)).not.toBeNull();
  await rotateToken(revoked.user.id, { actorId: revoked.user.id, now: past });
  await db.user.delete({ where: { id: deleted.user.id } });

  const ids = [linked, revoked, deleted].map(({ id }) => id);
  const left = async () =>
    (await db.linkCode.findMany({ where: { id: { in: ids } } })).map(({ id, codeHash }) => [id, codeHash !== null]);
  await sweepLinks(at(-971 * day));
  expect(await left()).toHaveLength(3);
  expect(await sweepLinks(at(-970 * day))).toBe(2);
  expect(await left()).toEqual([[linked.id, false]]);
  expect(await linkedPrograms(linked.user.id)).toMatchObject([
    { id: linked.id, program: "curl", network: linked.network.id, linkedAt: past.toISOString() },
  ]);
});

it("leaves of a code that nobody approved its letters' hash, an hour after its end, for 30 days", async () => {
  // An hour of the clock is counted when it is over: this code is issued late in one, and that one early.
  const [early, hour] = [at(-4_000 * day), 3_600];
  const later = (seconds: number) => new Date(early.getTime() + seconds * 1_000);
  const [pending, denied] = [await newRequest(newNetwork(), early), await requested(newNetwork(), later(3_000))];
  await denyRequest(denied.actor, denied.id, { now: later(3_000) });
  const uncollected = await approved(newNetwork(), early);
  const left = async () => {
    const links = await db.linkCode.findMany({ where: { id: { in: [pending.id, denied.id, uncollected.id] } } });
    return links.map(({ id }) => [pending, denied, uncollected].findIndex((code) => code.id === id)).sort();
  };
  await sweepLinks(later(600 + hour));
  expect(await left()).toEqual([0, 1, 2]);
  await sweepLinks(later(17 * 60 + hour));
  expect(await left()).toEqual([1, 2]);
  await sweepLinks(later(3_000 + 600 + hour));
  expect(await left()).toEqual([2]);
  expect(await db.auditEvent.findMany({ where: { subjectId: { in: [pending.id, denied.id] } } })).toMatchObject([
    { action: "link.deny", actorId: denied.user.id },
  ]);
  const hashes = [pending, denied, uncollected].map(({ code }) => first64Bits(hashCode(code)));
  const used = () => db.usedLetters.count({ where: { hash: { in: hashes } } });
  await sweepLinks(later(30.4 * day));
  expect(await used()).toBe(3);
  await sweepLinks(later(31 * day));
  expect(await used()).toBe(0);
});

it("keeps the letters of codes from before letters were stored apart", async () => {
  const past = at(-6_000 * day);
  const { id, code } = await newRequest(newNetwork(), past);
  const hash = first64Bits(hashCode(code));
  await db.usedLetters.delete({ where: { hash } });
  await sweepLinks(at(-5_999 * day));
  expect(await db.linkCode.count({ where: { id } })).toBe(0);
  expect(await db.usedLetters.findUnique({ where: { hash } })).toEqual({
    hash,
    day: Math.floor(past.getTime() / 86_400_000),
  });
});

it("looks once a day at the links of programs that still work", async () => {
  const past = at(-2_000 * day);
  const { id, code, network, user } = await approved(newNetwork(), past);
  expect(await collect(code, network, past)).not.toBeNull();
  const stays = at(-1_960 * day);
  expect(await sweepLinks(stays)).toBe(0);
  await rotateToken(user.id, { actorId: user.id, now: stays });
  expect(await sweepLinks(at(-1_959.1 * day))).toBe(0);
  expect(await sweepLinks(at(-1_959 * day))).toBe(1);
  expect(await db.linkCode.count({ where: { id } })).toBe(0);
});

it("takes what nobody was signed in for out of the audit trail after 30 days, and leaves what users did", async () => {
  const past = at(-3_000 * day);
  const stranger = newNetwork();
  const { code, id, network, actor } = await requested(newNetwork(), past);
  for (const letters of [code, "QXQXQX"]) await collect(letters, stranger, past);
  await denyRequest(actor, id, { now: past });
  const trail = async () =>
    (await db.auditEvent.findMany({ where: { subjectId: { in: [id, stranger.id] } }, orderBy: { id: "asc" } })).map(
      ({ action, detail }) => [action, detail],
    );
  const denied = ["link.deny", JSON.stringify({ network: network.id, program: "curl", asked: network.id })];
  await sweepLinks(at(-2_971 * day));
  expect((await trail()).map(([action]) => action)).toEqual(["link.look", "link.refuse", "link.deny"]);
  await sweepLinks(at(-2_970 * day));
  expect(await trail()).toEqual([denied]);
});

it("removes many in batches", async () => {
  const past = at(-5_000 * day);
  const rest = { status: "pending", createdAt: past, expiresAt: past, network: "n", program: "" };
  const rows = Array.from({ length: 1_200 }, (_, index) => ({ ...rest, id: `batch-${index}` }));
  await db.linkCode.createMany({ data: rows });
  expect(await sweepLinks(at(-4_970 * day))).toBe(1_200);
});
