import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/db/client";
import { blockGiver } from "@/lib/keys/blocks";
import { holdingOf, holdsKey } from "@/lib/keys/check";
import { acceptClaim, findClaim } from "@/lib/keys/claims/claim";
import { createClaimLinks, type WantedLinks, wantedLinks } from "@/lib/keys/claims/create";
import { claimsCsv } from "@/lib/keys/claims/csv";
import { endClaimLinks, listClaimLinks } from "@/lib/keys/claims/manage";
import { ENDED_KEPT_MS, sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { trailOf } from "@/lib/keys/trail";
import type { Caller } from "@/lib/user";
import { newNetwork } from "@/tests/support/network";
import { makeUser, makeUsers } from "@/tests/support/user";

const DAY = 86_400_000;
const people = async (count: number) =>
  (await makeUsers(count)).map((user): Caller => ({ ...user, role: "user" })) as [Caller, Caller, Caller];
const newKey = async (creator: Caller) =>
  (await createKey(creator, { data: "secret", price: "1", name: "Pro licence" })).id;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );
const secretOf = (link: string | undefined) => link?.split("#")[1] ?? "";
const ONE: WantedLinks = { links: 1, most: 1, days: null, openDays: 30, note: "" };

async function links(creator: Caller, key: string, wanted: Partial<WantedLinks> = {}): Promise<string[]> {
  const row = await findKey(creator, key);
  const made = await createClaimLinks(creator, row, { ...ONE, ...wanted }, { origin: "https://keys.example" });
  return made.links.map(secretOf);
}
const claim = (caller: Caller, secret: string) => acceptClaim(caller, secret, newNetwork());
const list = async (creator: Caller, key: string) =>
  (await listClaimLinks(creator, await findKey(creator, key), 1)).batches;

async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ now: time, toFake: ["Date"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

describe("a claim link", () => {
  test("gives the key to as many as it is for, once each; looking at it changes nothing", async () => {
    const [creator, first, second] = await people(3);
    const third = (await people(1))[0];
    const key = await newKey(creator);
    const [secret = ""] = await links(creator, key, { most: 2, note: "order 1234" });
    expect(secret).toMatch(/^[\w-]{43}$/);
    for (const visitor of [null, first])
      expect(await findClaim(visitor, secret, newNetwork())).toEqual({
        keyId: key,
        name: "Pro licence",
        creator: creator.username,
        days: null,
        isClaimed: false,
      });
    expect(await holdsKey(first.username, key)).toBe(false);
    expect(await claim(first, secret)).toEqual({ keyId: key, claimed: true, until: null });
    expect(await claim(first, secret)).toEqual({ keyId: key, claimed: false, until: null });
    expect(await claim(second, secret)).toMatchObject({ claimed: true });
    expect(await codeOf(claim(third, secret))).toBe("bad_link");
    expect(await codeOf(findClaim(null, secret, newNetwork()))).toBe("bad_link");
    expect(await findClaim(first, secret, newNetwork())).toMatchObject({ isClaimed: true });
    expect(await list(creator, key)).toMatchObject([
      {
        note: "order 1234",
        links: 1,
        most: 2,
        claimed: 2,
        isOver: true,
        claims: [{ username: second.username }, { username: first.username }],
      },
    ]);
    const events = (await trailOf(creator, await findKey(creator, key), 10)).map(({ action, actor, detail }) => [
      action,
      actor,
      detail,
    ]);
    expect(events.slice(0, 3)).toEqual([
      ["claim.use", second.username, { user: second.username }],
      ["claim.use", first.username, { user: first.username }],
      ["claim.create", creator.username, { links: "1", most: "2", note: "order 1234" }],
    ]);
  });

  test("is stored as a hash only, and is nowhere in the database", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const [secret = ""] = await links(creator, key);
    await claim(holder, secret);
    const stored = JSON.stringify([
      await db.claimBatch.findMany({ where: { keyId: key } }),
      await db.claimLink.findMany({ where: { batch: { keyId: key } } }),
      (await db.auditEvent.findMany({ where: { subjectId: key } })).map(({ detail }) => detail),
    ]);
    expect(stored).not.toContain(secret);
  });

  test("gives access for some days, which go on from the end of what its claimer has", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const secrets = await links(creator, key, { links: 3, days: 30 });
    const before = Date.now();
    const { until: first } = await claim(holder, secrets[0] ?? "");
    expect(first?.getTime()).toBeGreaterThanOrEqual(before + 30 * DAY);
    expect(first?.getTime()).toBeLessThanOrEqual(Date.now() + 30 * DAY + 1000);
    expect((first?.getTime() ?? 0) % 1000).toBe(0);
    const { until: second } = await claim(holder, secrets[1] ?? "");
    expect(second?.getTime()).toBe((first?.getTime() ?? 0) + 30 * DAY);
    // What was claimed and has ended begins anew.
    await at((second?.getTime() ?? 0) + 10, async () => {
      const [late = ""] = await links(creator, key, { days: 1 });
      const { until } = await claim(holder, late);
      expect(until?.getTime()).toBe((second?.getTime() ?? 0) + 1000 + DAY);
    });
  });

  test("of a key that its visitor has anyway, or made, or does not want, stays for somebody else", async () => {
    const [creator, holder, other] = await people(3);
    const key = await newKey(creator);
    const [secret = ""] = await links(creator, key, { days: 5 });
    await addHolder(creator, await findKey(creator, key), holder.username);
    expect(await codeOf(claim(holder, secret))).toBe("already_held");
    expect(await codeOf(claim(creator, secret))).toBe("own_key");
    await blockGiver(other, creator.username, false);
    expect(await codeOf(claim(other, secret))).toBe("giver_blocked");
    const fresh = (await people(1))[0];
    expect(await claim(fresh, secret)).toMatchObject({ claimed: true });
  });

  test("gives an access without an end to somebody whose access would end", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    await addHolder(creator, await findKey(creator, key), holder.username, new Date(Date.now() + DAY));
    const [secret = ""] = await links(creator, key);
    expect(await claim(holder, secret)).toMatchObject({ claimed: true, until: null });
    expect(await holdingOf(holder.username, key)).toEqual({ until: null });
  });

  test("that was claimed gives nothing back after a revocation", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const [secret = ""] = await links(creator, key, { most: 5 });
    await claim(holder, secret);
    await revokeHolder(creator, await findKey(creator, key), holder.username);
    expect(await claim(holder, secret)).toMatchObject({ claimed: false });
    expect(await holdsKey(holder.username, key)).toBe(false);
  });

  test("ends at its time, with its key, with its creator's account, and when its creator ends it", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const [first = "", second = "", third = ""] = await links(creator, key, { links: 3, openDays: 1 });
    await at(Date.now() + DAY, async () => expect(await codeOf(claim(holder, first))).toBe("bad_link"));
    const [batch] = await list(creator, key);
    const row = await findKey(creator, key);
    const ended = (number?: number) => endClaimLinks(creator, row, batch?.id ?? "", number);
    expect(await codeOf(endClaimLinks(holder, row, batch?.id ?? ""))).toBe("not_creator");
    expect(await codeOf(ended(4))).toBe("claims_not_found");
    expect(await ended(2)).toBe(1);
    expect(await ended(2)).toBe(0);
    expect(await codeOf(claim(holder, second))).toBe("bad_link");
    await claim(holder, first);
    expect(await ended()).toBe(1);
    expect(await ended()).toBe(0);
    expect(await codeOf(claim((await people(1))[0], third))).toBe("bad_link");
    expect(await holdsKey(holder.username, key)).toBe(true);
    expect((await list(creator, key))[0]).toMatchObject({ isOver: true, claims: [{ number: 1 }] });

    const [more = ""] = await links(creator, key);
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: new Date() } });
    expect(await codeOf(claim(holder, more))).toBe("bad_link");
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: null } });
    await deleteKey(creator, row);
    expect(await codeOf(claim((await people(1))[0], more))).toBe("bad_link");
    expect(await db.claimBatch.count({ where: { keyId: key } })).toBe(0);
  });

  test("is made by the creator only: an admin could give itself what its role does not show", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const admin: Caller = { ...(await makeUser({ role: "admin" })), role: "admin" };
    await addHolder(creator, await findKey(creator, key), holder.username);
    for (const other of [admin, holder]) expect(await codeOf(links(other, key))).toBe("not_creator");
    expect(await codeOf(links(holder, key))).toBe("not_creator");
    await links(creator, key);
    expect(await list(admin, key)).toHaveLength(1);
  });

  test("is forgotten 30 days after it ended", async () => {
    const [creator, holder] = await people(2);
    const key = await newKey(creator);
    const [secret = ""] = await links(creator, key, { links: 700, openDays: 1 });
    await claim(holder, secret);
    await sweepClaimLinks(new Date(Date.now() + ENDED_KEPT_MS));
    expect(await list(creator, key)).toHaveLength(1);
    expect(await sweepClaimLinks(new Date(Date.now() + DAY + ENDED_KEPT_MS + 1000))).toBeGreaterThanOrEqual(700);
    expect(await list(creator, key)).toEqual([]);
    expect(await holdsKey(holder.username, key)).toBe(true);
  });
});

describe("many links", () => {
  test("10,000 are created at once, each different, and as CSV that no spreadsheet runs", async () => {
    const [creator] = await people(1);
    const key = await newKey(creator);
    const row = await findKey(creator, key);
    const wanted = { ...ONE, links: 10_000, note: '=cmd|"/c calc"' };
    const made = await createClaimLinks(creator, row, wanted, { origin: "https://keys.example" });
    expect(new Set(made.links).size).toBe(10_000);
    expect(await db.claimLink.count({ where: { batch: { keyId: key } } })).toBe(10_000);
    const lines = claimsCsv(made, wanted.note).split("\r\n");
    expect(lines).toHaveLength(10_002);
    expect(lines[0]).toBe("number,link,note,expires");
    expect(lines[10_000]).toBe(`10000,${made.links[9_999]},"'=cmd|""/c calc""",${made.expiresAt.toISOString()}`);
    // 50,000 of one creator's keys are the most.
    const other = await findKey(creator, await newKey(creator));
    for (let more = 0; more < 4; more++)
      await createClaimLinks(creator, other, wanted, { origin: "https://keys.example" });
    expect(await codeOf(links(creator, key))).toBe("claim_limit");
    const [batch] = await list(creator, key);
    await endClaimLinks(creator, row, batch?.id ?? "");
    expect(await links(creator, key)).toHaveLength(1);
    await deleteKey(creator, row);
  });

  test.each([
    [{ links: 0 }, "links"],
    [{ links: 10_001 }, "links"],
    [{ links: 1.5 }, "links"],
    [{ most: 10_001 }, "most"],
    [{ days: 0 }, "days"],
    [{ days: 36_501 }, "days"],
    [{ openDays: 3_651 }, "openDays"],
    [{ note: "x".repeat(101) }, "note"],
    [{ note: "\ud800" }, "note"],
  ])("%j is refused", (wrong, field) => {
    const parsed = wantedLinks.safeParse({ ...ONE, ...wrong });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  });
});
