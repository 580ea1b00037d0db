import { beforeEach, describe, expect, test } from "vitest";
import { endedFor, findKey, keyInPath } from "@/lib/keys/access";
import { blockGiver, unblockGiver } from "@/lib/keys/block";
import { holdingOf } from "@/lib/keys/check";
import { revealData } from "@/lib/keys/data";
import { listHolders, listKeys } from "@/lib/keys/list";
import { keysOf } from "@/lib/keys/mine";
import { recordFor } from "@/lib/keys/record";
import { leaveKeys } from "@/lib/keys/revoke";
import { until } from "@/lib/keys/until";
import { hashToken } from "@/lib/platform/crypto/tokens";
import { db } from "@/lib/platform/db/client";
import { lossesOf } from "@/lib/user-data/delete";
import { overviewOf } from "@/lib/user-data/overview";
import { codeOf } from "@/tests/support/statements";
import { add, at, heldBy, holdsKey, makeAdmin, newKey, type People, people, revoke, trail } from "./keys";

const inSeconds = (seconds: number) => new Date((Math.floor(Date.now() / 1000) + seconds) * 1000);

let [creator, holder] = [] as unknown as People;
let key: string;
let end: Date;
beforeEach(async () => {
  [creator, holder] = await people(2);
  key = await newKey(creator);
  end = inSeconds(60);
});

async function isSeen() {
  const row = (await keyInPath.withCaller(hashToken(holder.token), { id: key })).subject();
  const [list, created] = [
    await listKeys(holder, { kind: "given", search: "", page: "" }),
    await listKeys(creator, { kind: "made", search: "", page: "", sort: "-holders" }),
  ];
  const { owned, data, users } = await recordFor(holder, row);
  const [mine] = (await (await keysOf(creator, {})).pages.next()).value ?? [];
  const signs = [owned, data !== null, Object.keys(users).length === 1].concat(
    await holdsKey(holder.username, key),
    (await heldBy(holder)).includes(key),
    (await heldBy(holder, 1)).includes(key),
    (await codeOf(revealData(holder, key))) === "ok",
    list.received === 1 && list.keys[0]?.id === key,
    created.keys.find(({ id }) => id === key)?.holders === 2,
    holder.username in (await recordFor(creator, await findKey(creator, key))).users,
    holder.username in mine.users,
    (await overviewOf(holder.id)).keys === 1,
    (await lossesOf(creator.id)).holders === 1,
  );
  expect(new Set(signs).size, JSON.stringify(signs)).toBe(1);
  return signs[0];
}

describe("access with an end", () => {
  test("is there in the last millisecond, and nowhere at that second", async () => {
    expect(await add(creator, key, { ...holder, end })).toEqual({ user: holder.username, added: true, changed: false });
    expect(await isSeen()).toBe(true);
    expect(await at(end.getTime() - 1, isSeen)).toBe(true);
    for (const later of [0, 1, 1000, 365 * 86_400_000]) expect(await at(end.getTime() + later, isSeen)).toBe(false);
    // A clock that goes back gives it back.
    expect(await at(end.getTime() - 1000, isSeen)).toBe(true);
  });

  test("stays on the creator's list as ended, and on the page of its holder", async () => {
    await add(creator, key, { ...holder, end });
    const listed = async () => {
      const { holders } = await listHolders(creator, await findKey(creator, key), { search: "", page: "" });
      return holders.find(({ username }) => username === holder.username);
    };
    expect(await listed()).toMatchObject({ until: end, isEnded: false });
    expect(await endedFor(holder, key)).toBeNull();
    await at(end.getTime(), async () => {
      expect(await listed()).toMatchObject({ until: end, isEnded: true });
      expect(await endedFor(holder, key)).toEqual(end);
    });
  });

  test("gets another end or none, before and after it has ended", async () => {
    const [second, user] = [inSeconds(120), holder.username];
    await add(creator, key, { ...holder, end });
    const { since } = await findKey(holder, key);
    for (const same of [end, undefined])
      expect(await add(creator, key, { ...holder, end: same })).toEqual({ user, added: false, changed: false });
    expect(await holdingOf(user, key)).toEqual({ until: end });
    await at(end.getTime(), async () => {
      expect(await add(creator, key, { ...holder, end: second })).toEqual({ user, added: false, changed: true });
      expect(await isSeen()).toBe(true);
    });
    expect((await findKey(holder, key)).since).toEqual(since);
    for (const changed of [true, false])
      expect(await add(creator, key, { ...holder, end: "never" })).toEqual({ user, added: false, changed });
    expect(await holdingOf(user, key)).toEqual({ until: null });
    expect((await trail(creator, key)).map(({ action, detail }) => ({ action, ...detail }))).toEqual([
      { action: "key.until", user, from: second.toISOString() },
      { action: "key.until", user, until: second.toISOString(), from: end.toISOString() },
      { action: "key.add", user, until: end.toISOString() },
      { action: "key.create" },
    ]);
  });

  test("that has ended begins anew without an end, as if it had never been", async () => {
    await add(creator, key, { ...holder, end });
    await at(end.getTime() + 5_000, async () => {
      expect(await add(creator, key, holder)).toMatchObject({ added: true, changed: false });
      expect((await findKey(holder, key)).since).toEqual(new Date(end.getTime() + 5_000));
    });
  });

  test("that has ended is removed by a revocation, which revokes nothing, and leaves nothing to leave", async () => {
    await add(creator, key, { ...holder, end });
    await at(end.getTime(), async () => {
      expect(await revoke(creator, key, holder)).toMatchObject({ revoked: false });
      expect(await db.holder.count({ where: { keyId: key } })).toBe(1);
      await add(creator, key, { ...holder, end: inSeconds(60) });
      expect(await leaveKeys(holder, [key])).toBe(1);
    });
  });

  test("is in the trail with its begin and its end once it is revoked", async () => {
    await add(creator, key, { ...holder, end });
    const { since } = await findKey(holder, key);
    await revoke(creator, key, holder);
    const [{ action, detail } = {}] = await trail(creator, key);
    const access = { since: since?.toISOString(), until: end.toISOString() };
    expect([action, detail]).toEqual(["key.revoke", { user: holder.username, ...access }]);
  });

  test("is not the creator's, and an admin cannot extend its own", async () => {
    const admin = await makeAdmin();
    expect(await codeOf(add(creator, key, { ...creator, end }))).toBe("invalid_parameter");
    expect(await add(creator, key, { ...creator, end: "never" })).toMatchObject({ added: false, changed: false });
    await add(creator, key, { ...admin, end });
    expect(await codeOf(add(admin, key, { ...admin, end: inSeconds(120) }))).toBe("not_creator");
    expect(await at(Date.now() + 120_000, () => codeOf(add(admin, key, admin)))).toBe("not_creator");
    expect(await codeOf(add(creator, key, { ...admin, end: new Date(Date.now() - 1) }))).toBe("invalid_parameter");
  });

  test("of somebody who has blocked the creator since comes back to nobody", async () => {
    await add(creator, key, { ...holder, end });
    await blockGiver(holder, creator.username);
    await at(end.getTime(), async () => {
      await add(creator, key, { ...holder, end: inSeconds(60) });
      expect(await holdsKey(holder.username, key)).toBe(true);
      expect(await heldBy(holder)).toEqual([]);
      expect(await endedFor(holder, key)).toBeNull();
      await unblockGiver(holder, creator.username);
      expect(await heldBy(holder)).toEqual([]);
    });
  });

  test("that has ended is not among the keys that blocking leaves", async () => {
    await add(creator, key, { ...holder, end });
    await add(creator, await newKey(creator), holder);
    expect(await at(end.getTime(), () => blockGiver(holder, creator.username, { andLeave: true }))).toMatchObject({
      left: 1,
    });
    expect(await db.holder.count({ where: { userId: holder.id } })).toBe(0);
  });
});

const read = (text: string) => {
  const parsed = until.safeParse(text);
  return parsed.success ? parsed.data : parsed.error.issues[0]?.message;
};
const NEW_CENTURY = "2100-01-01T00:00:00Z";

test.each([
  ["4102444800", NEW_CENTURY],
  [NEW_CENTURY, NEW_CENTURY],
  ["2100-01-01T02:00:00+02:00", NEW_CENTURY],
  ["2099-12-31T19:00:00-0500", NEW_CENTURY],
  ["2100-01-01T00:00:07.999Z", "2100-01-01T00:00:07Z"],
  ["2100-01-01T00:00:07,123456789Z", "2100-01-01T00:00:07Z"],
  ["2100-01-01T00:00Z", NEW_CENTURY],
  ["253402300799", "9999-12-31T23:59:59Z"],
  ["2096-02-29T00:00:00Z", "2096-02-29T00:00:00Z"],
])("%s is the end %s", (text, end) => expect(read(text)).toEqual(new Date(end)));

test("never is an end", () => expect(read("never")).toBe("never"));

const FORM = "must be Unix seconds, or ISO 8601 with a time zone, or never";
const YEAR = "must be before the year 10000. Unix times are in seconds here, not in milliseconds";

test.each([
  [FORM, "|tomorrow|Never|-1|1e9|4102444800.5| 4102444800|9999999999999999"],
  [FORM, "2100-01-01|2100-01-01T00:00:00|2100-01-01 00:00:00Z|+012100-01-01T00:00:00Z"],
  [FORM, "2100-02-30T00:00:00Z|2100-02-29T00:00:00Z|2100-13-01T00:00:00Z|2100-01-01T24:00:00Z"],
  [FORM, "2100-01-01T25:00:00Z|2100-01-01T00:00:00+99:00"],
  [YEAR, "4102444800000|253402300800|999999999999999|9999-12-31T23:59:59-01:00"],
  ["must be in the future", `0|1|2001-09-09T01:46:40Z|${Math.floor(Date.now() / 1000)}`],
])("an end %s, unlike %s", (why, wrong) => {
  for (const text of wrong.split("|")) expect([text, read(text)]).toEqual([text, why]);
});
