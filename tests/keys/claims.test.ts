import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { blockGiver } from "@/lib/keys/block";
import { holdingOf } from "@/lib/keys/check";
import { findClaim } from "@/lib/keys/claims/accept";
import { claimLinkOptions, claimsCsv, createClaimLinks } from "@/lib/keys/claims/create";
import { endClaimLinks } from "@/lib/keys/claims/end";
import { listClaimLinks } from "@/lib/keys/claims/list";
import { deleteClaimLinks, RETENTION_MS, sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { deleteKey } from "@/lib/keys/delete";
import { linksOf, linksOfKey } from "@/lib/keys/list-queries";
import { db, sql } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newNetwork } from "@/tests/support/request";
import { codeOf } from "@/tests/support/statements";
import {
  add,
  at,
  claim,
  claimLinks,
  holdsKey,
  makeAdmin,
  newKey,
  ONE_LINK,
  type People,
  people,
  revoke,
  trail,
} from "./keys";

const DAY = 86_400_000;

let [creator, holder, other, fresh] = [] as unknown as People;
let key: string;
beforeEach(async () => {
  [creator, holder, other, fresh] = await people(4);
  key = await newKey(creator);
});
const list = async (caller: Caller = creator) =>
  (await listClaimLinks(caller, await findKey(caller, key), { page: "" })).batches;

describe("a claim link", () => {
  test("gives the key to as many as it is for, once each; looking at it changes nothing", async () => {
    const [first, second, third] = [holder, other, fresh];
    const [secret = ""] = await claimLinks(creator, key, { most: 2, note: "order 1234" });
    expect(secret).toMatch(/^[\w-]{43}$/);
    const offered = { keyId: key, name: "Pro licence", creator: creator.username, days: null, isClaimed: false };
    for (const visitor of [null, first])
      expect(await findClaim(visitor, secret, { network: newNetwork() })).toEqual(offered);
    expect(await holdsKey(first.username, key)).toBe(false);
    expect(await claim(first, secret)).toEqual({ keyId: key, claimed: true, until: null });
    expect(await claim(first, secret)).toEqual({ keyId: key, claimed: false, until: null });
    expect(await claim(second, secret)).toMatchObject({ claimed: true });
    expect(await codeOf(claim(third, secret))).toBe("bad_link");
    expect(await codeOf(findClaim(null, secret, { network: newNetwork() }))).toBe("bad_link");
    expect(await findClaim(first, secret, { network: newNetwork() })).toMatchObject({ isClaimed: true });
    const claims = [{ username: second.username }, { username: first.username }];
    expect(await list()).toMatchObject([{ note: "order 1234", links: 1, most: 2, claimed: 2, isOver: true, claims }]);
    const events = (await trail(creator, key)).map(({ action, actor, detail }) => [action, actor, detail]);
    expect(events.slice(0, 3)).toEqual([
      ["claim.use", second.username, { user: second.username }],
      ["claim.use", first.username, { user: first.username }],
      ["claim.create", creator.username, { links: "1", most: "2", note: "order 1234" }],
    ]);
  });

  test("is stored as a hash only, and is nowhere in the database", async () => {
    const [secret = ""] = await claimLinks(creator, key);
    await claim(holder, secret);
    const stored = JSON.stringify([
      await db.claimBatch.findMany({ where: { keyId: key } }),
      await db.claimLink.findMany({ where: { batch: { keyId: key } } }),
      (await db.auditEvent.findMany({ where: { subjectId: key } })).map(({ detail }) => detail),
    ]);
    expect(stored).not.toContain(secret);
  });

  test("gives access for some days, which go on from the end of what its claimer has", async () => {
    const secrets = await claimLinks(creator, key, { links: 3, days: 30 });
    const endOf = async (secret?: string) => (await claim(holder, secret)).until?.getTime() ?? 0;
    const before = Date.now();
    const first = await endOf(secrets[0]);
    expect(first).toBeGreaterThanOrEqual(before + 30 * DAY);
    expect(first).toBeLessThanOrEqual(Date.now() + 30 * DAY + 1000);
    expect(first % 1000).toBe(0);
    const second = await endOf(secrets[1]);
    expect(second).toBe(first + 30 * DAY);
    // What was claimed and has ended begins anew.
    await at(second + 10, async () => {
      expect(await endOf((await claimLinks(creator, key, { days: 1 }))[0])).toBe(second + 1000 + DAY);
    });
  });

  test("of a key that its visitor has anyway, or made, or does not want, stays for somebody else", async () => {
    const [secret] = await claimLinks(creator, key, { days: 5 });
    await add(creator, key, holder);
    expect(await codeOf(claim(holder, secret))).toBe("already_held");
    expect(await codeOf(claim(creator, secret))).toBe("own_key");
    await blockGiver(other, creator.username);
    expect(await codeOf(claim(other, secret))).toBe("giver_blocked");
    expect(await claim(fresh, secret)).toMatchObject({ claimed: true });
  });

  test("gives an access without an end to somebody whose access would end", async () => {
    await add(creator, key, { ...holder, end: new Date(Date.now() + DAY) });
    expect(await claim(holder, (await claimLinks(creator, key))[0])).toMatchObject({ claimed: true, until: null });
    expect(await holdingOf(holder.username, key)).toEqual({ until: null });
  });

  test("that was claimed gives nothing back after a revocation", async () => {
    const [secret] = await claimLinks(creator, key, { most: 5 });
    await claim(holder, secret);
    await revoke(creator, key, holder);
    expect(await claim(holder, secret)).toMatchObject({ claimed: false });
    expect(await holdsKey(holder.username, key)).toBe(false);
  });

  test("ends at its time, with its key, with its creator's account, and when its creator ends it", async () => {
    const [first, second, third] = await claimLinks(creator, key, { links: 3, openDays: 1 });
    await at(Date.now() + DAY, async () => expect(await codeOf(claim(holder, first))).toBe("bad_link"));
    const [batch] = await list();
    const row = await findKey(creator, key);
    const ended = (number?: number) => endClaimLinks(creator, row, { batchId: batch?.id ?? "", number });
    expect(await codeOf(endClaimLinks(holder, row, { batchId: batch?.id ?? "" }))).toBe("not_creator");
    expect(await codeOf(ended(4))).toBe("claims_not_found");
    expect([await ended(2), await ended(2)]).toEqual([1, 0]);
    expect(await codeOf(claim(holder, second))).toBe("bad_link");
    await claim(holder, first);
    expect([await ended(), await ended()]).toEqual([1, 0]);
    expect(await codeOf(claim(other, third))).toBe("bad_link");
    expect(await holdsKey(holder.username, key)).toBe(true);
    expect((await list())[0]).toMatchObject({ isOver: true, claims: [{ number: 1 }] });

    const [more] = await claimLinks(creator, key);
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: new Date() } });
    expect(await codeOf(claim(holder, more))).toBe("bad_link");
    await db.user.update({ where: { id: creator.id }, data: { disabledAt: null } });
    await deleteKey(creator, row);
    expect(await codeOf(claim(other, more))).toBe("bad_link");
    expect(await db.claimBatch.count({ where: { keyId: key } })).toBe(0);
  });

  test("is made by the creator only: an admin could give itself what its role does not show", async () => {
    const admin = await makeAdmin();
    await add(creator, key, holder);
    for (const one of [admin, holder]) expect(await codeOf(claimLinks(one, key))).toBe("not_creator");
    await claimLinks(creator, key);
    expect(await list(admin)).toHaveLength(1);
  });

  test("is forgotten 30 days after it ended", async () => {
    const [secret] = await claimLinks(creator, key, { links: 700, openDays: 1 });
    await claim(holder, secret);
    await sweepClaimLinks(new Date(Date.now() + RETENTION_MS));
    expect(await list()).toHaveLength(1);
    expect(await sweepClaimLinks(new Date(Date.now() + DAY + RETENTION_MS + 1000))).toBeGreaterThanOrEqual(700);
    expect(await list()).toEqual([]);
    expect(await holdsKey(holder.username, key)).toBe(true);
  });

  test("is forgotten as soon if it was ended by its number, once no other of its batch is open", async () => {
    const [first] = await claimLinks(creator, key, { links: 3, openDays: 3_650 });
    const batchId = (await list())[0]?.id ?? "";
    const row = await findKey(creator, key);
    await claim(holder, first);
    await endClaimLinks(creator, row, { batchId, number: 2 });
    expect((await list())[0]).toMatchObject({ isOver: false });
    await endClaimLinks(creator, row, { batchId, number: 3 });
    expect((await list())[0]).toMatchObject({ isOver: true, claims: [{ number: 1 }] });
    await sweepClaimLinks(new Date(Date.now() + RETENTION_MS + 1_000));
    expect(await list()).toEqual([]);
  });

  test("counts for its creator's quota until it is forgotten, and goes before its key does", async () => {
    const links = async () => (await sql.read(linksOf(creator.id)))[0]?.links;
    await claimLinks(creator, key, { links: 3 });
    await claimLinks(creator, key);
    expect(await links()).toBe(4);
    const row = await findKey(creator, key);
    for (const { id } of await list()) await endClaimLinks(creator, row, { batchId: id });
    expect([await links(), (await sql.read(linksOfKey(key)))[0]?.links]).toEqual([2, 2]);
    await deleteClaimLinks([key]);
    expect([await links(), await list()]).toEqual([0, []]);
  });

  test("is not guessed: a network is refused after some guesses, and keeps nobody else out", async () => {
    const [secret = ""] = await claimLinks(creator, key);
    const network = newNetwork();
    const limit = env.FAILED_PASSWORDS_PER_NETWORK_10_MINUTES;
    const codes: string[] = [];
    for (let guess = 0; guess < limit + 3; guess++)
      codes.push(await codeOf(findClaim(null, randomBytes(32).toString("base64url"), { network })));
    expect(codes).toEqual([...Array(limit).fill("bad_link"), ...Array(3).fill("rate_limited")]);
    expect(await codeOf(findClaim(null, secret, { network }))).toBe("rate_limited");
    expect(await claim(holder, secret)).toMatchObject({ claimed: true });
  });
});

test("10,000 claim links are created at once, each different, and as CSV that no spreadsheet runs", async () => {
  const [second, row] = [await newKey(creator), await findKey(creator, key)];
  const options = { ...ONE_LINK, links: 10_000, note: '=cmd|"/c calc"' };
  const created = await createClaimLinks(creator, row, { ...options, origin: "https://keys.example" });
  expect(new Set(created.links).size).toBe(10_000);
  expect(await db.claimLink.count({ where: { batch: { keyId: key } } })).toBe(10_000);
  const lines = claimsCsv(created, options.note).split("\r\n");
  expect(lines).toHaveLength(10_002);
  expect(lines[0]).toBe("number,link,note,expires");
  expect(lines[10_000]).toBe(`10000,${created.links[9_999]},"'=cmd|""/c calc""",${created.expiresAt.toISOString()}`);
  // 50,000 of one creator's keys are the most.
  for (let more = 0; more < 4; more++) await claimLinks(creator, second, { links: 10_000 });
  expect(await codeOf(claimLinks(creator, key))).toBe("claim_limit");
  await endClaimLinks(creator, row, { batchId: (await list())[0]?.id ?? "" });
  expect(await claimLinks(creator, key)).toHaveLength(1);
  for (const one of [key, second]) await deleteKey(creator, await findKey(creator, one));
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
])("claim links of %j are refused", (wrong, field) => {
  expect(claimLinkOptions.safeParse({ ...ONE_LINK, ...wrong }).error?.issues[0]?.path).toEqual([field]);
});
