import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { findTokenCaller } from "@/lib/accounts/identity/access-tokens/use";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { claimLinkOptions, createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { acceptOffer, declineKey, offerAllKeys, offerKey, offersTo } from "@/lib/keys/offers";
import { db } from "@/lib/platform/db/client";
import { perProcess } from "@/lib/platform/process";
import { MAX_RESULTS, namedRequest, once, ROOM_OF_PAGES } from "@/lib/platform/requests/results";
import { codeOf } from "@/tests/support/statements";
import { claim, newKey, ONE_LINK, type People, people, revoke } from "./keys";

let creator: People[0];
let other: People[1];
let key: string;
beforeEach(async () => {
  [creator, other] = await people(4);
  key = await newKey(creator);
});

/** The caller in a request of this id. */
const named = <Who extends Caller>(caller: Who, what: unknown, id = "press") => ({
  ...caller,
  request: namedRequest(id, what),
});
const inOne = <T>(caller: Caller, work: () => Promise<T>) => once(caller, work).then(({ result }) => result);

describe("claim links that are requested again after a lost response", () => {
  const links = async (options: Partial<typeof ONE_LINK> = {}, id?: string, origin = "https://k.example") => {
    const wanted = claimLinkOptions.parse({ ...ONE_LINK, links: 3, ...options });
    const caller = named(creator, [key, wanted], id);
    return createClaimLinks(caller, await findKey(caller, key), { ...wanted, origin });
  };
  const batches = () => db.claimBatch.count({ where: { keyId: key } });

  test("are the same ones, which work, and there is one batch of them", async () => {
    const first = await links();
    expect(new Set(first.links)).toHaveLength(3);
    for (const link of first.links) expect(link).toMatch(/^https:\/\/k\.example\/claim#[\w-]{43}$/);
    expect(await links()).toEqual(first);
    expect(await batches()).toBe(1);
    expect(await claim(other, first.links[2]?.split("#")[1])).toMatchObject({ claimed: true });
    expect((await links({}, "press", "https://other.example")).links[0]).toMatch(/^https:\/\/other/);
  });

  test("are the same ones for all of several at the same time", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => links()));
    for (const one of all) expect(one).toEqual(all[0]);
    expect(await batches()).toBe(1);
  });

  test("are refused under the id of others, and new ones under a new id", async () => {
    const first = await links();
    expect(await codeOf(links({ links: 4 }))).toBe("request_conflict");
    expect((await links({}, "next")).links).not.toEqual(first.links);
    expect(await batches()).toBe(2);
  });

  test("are stored as they were: neither a link nor what they come from is in the database", async () => {
    const { links: shown } = await links();
    const [row] = await db.requestResult.findMany({ where: { userId: creator.id } });
    expect(row?.result.length).toBeLessThan(1_000);
    for (const link of shown) expect(JSON.stringify(row)).not.toContain(link.split("#")[1]);
  });
});

describe("an offer", () => {
  const offered = async () => (await offersTo(other)).offers[0];

  test("that is made again after it was accepted is no failure, and offers nothing", async () => {
    const caller = named(creator, [key, other.username]);
    const offer = () => inOne(caller, async () => offerKey(caller, await findKey(caller, key), other.username));
    expect(await offer()).toEqual({ user: other.username });
    await acceptOffer(other, key);
    expect(await offer()).toEqual({ user: other.username });
    await revoke(other, key, creator);
    expect(await offer()).toEqual({ user: other.username });
    expect(await db.keyOffer.count({ where: { keyId: key } })).toBe(0);
  });

  test("of all keys that is made again is no failure either", async () => {
    await newKey(creator);
    const caller = named(creator, other.username);
    const offer = () => inOne(caller, () => offerAllKeys(caller, other.username, 2));
    expect(await offer()).toEqual({ user: other.username, keys: 2 });
    await acceptOffer(other, key);
    expect(await offer()).toEqual({ user: other.username, keys: 2 });
    expect(await db.keyOffer.count({ where: { userId: other.id } })).toBe(1);
  });

  test.each([
    ["accepted", acceptOffer],
    ["declined", declineKey],
  ])("that is %s again is no failure", async (_, decide) => {
    await offerKey(creator, await findKey(creator, key), other.username);
    expect(await offered()).toMatchObject({ id: key });
    const caller = named(other, key);
    for (const _ of [1, 2]) await inOne(caller, () => decide(caller, key));
    expect(await codeOf(decide(other, key))).toBe("offer_not_found");
  });
});

describe("a token of a program's own that is created again after a lost response", () => {
  const create = (name: string, id: string) =>
    createToken(creator.id, { name, access: "read", days: 30 }, { request: namedRequest(id, name) });

  test("is the same one, which works", async () => {
    const id = randomUUID();
    const [first, second] = await Promise.all([create("Bot", id), create("Bot", id)]);
    expect(second).toEqual(first);
    expect(await create("Bot", id)).toEqual(first);
    expect((await findTokenCaller(first.token)).id).toBe(creator.id);
    expect(await db.accessToken.count({ where: { userId: creator.id } })).toBe(1);
    const [row] = await db.requestResult.findMany({ where: { userId: creator.id } });
    expect(JSON.stringify(row)).not.toContain(first.token);
  });

  test("is refused under the id of another, and by its name under a new id", async () => {
    await create("Bot", "press");
    expect(await codeOf(create("Another", "press"))).toBe("request_conflict");
    expect(await codeOf(create("Bot", "next"))).toBe("token_name_taken");
  });
});

test("a program that uses up a user's requests of a day leaves their pages room, which has a bound, too", async () => {
  const create = (id: string, isOfPage: boolean) => {
    const fields = { data: "secret", price: "1", name: id };
    const caller = { ...creator, request: { ...namedRequest(id, fields), isOfPage } };
    return inOne(caller, () => createKey(caller, fields));
  };
  // In steps that a busy machine, too, does within the time of a statement.
  const fill = async (first: number, last: number) => {
    for (let from = first; from <= last; from += 10_000)
      await db.$executeRaw`
        WITH RECURSIVE n(i) AS
          (SELECT CAST(${from} AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ${Math.min(last, from + 9_999)})
        INSERT INTO "RequestResult" ("userId", "idHash", "fingerprint", "result", "at")
        SELECT r."userId", CAST(n.i AS TEXT), r."fingerprint", r."result", r."at" FROM "RequestResult" r, n
        WHERE r."userId" = ${creator.id} AND r."idHash" = '1'`;
  };
  await db.requestResult.create({
    data: { userId: creator.id, idHash: "1", fingerprint: "", result: "null", at: new Date() },
  });
  await fill(2, MAX_RESULTS);
  const inADay = { code: "rate_limited", headers: { "Retry-After": expect.stringMatching(/^8[56]\d{3}$/) } };
  await expect(create("next", false)).rejects.toMatchObject(inADay);
  const { id } = await create("press", true);
  expect(await create("press", true)).toMatchObject({ id });
  await fill(MAX_RESULTS + 1, MAX_RESULTS + ROOM_OF_PAGES);
  // As in another process, which has not counted them yet.
  perProcess("room for results", () => new Map()).clear();
  expect(await codeOf(create("another", true))).toBe("rate_limited");
});
