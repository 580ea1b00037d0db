import { beforeEach, describe, expect, test } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { blockGiver, unblockGiver } from "@/lib/keys/block";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { trailOfDeleted } from "@/lib/keys/history";
import { acceptOffer, declineKey, offerAllKeys, offerKey, offerOf, offersTo, withdrawOffer } from "@/lib/keys/offers";
import { recordFor } from "@/lib/keys/record";
import { revokeHolder } from "@/lib/keys/revoke";
import { updateKey } from "@/lib/keys/update";
import { db } from "@/lib/platform/db/client";
import { lossesOf } from "@/lib/user-data/delete";
import { codeOf } from "@/tests/support/statements";
import { add, makeAdmin, makeKeys, newKey, type People, people, trail } from "./keys";

const offer = async (from: Caller, key: string, to: Caller) => offerKey(from, await findKey(from, key), to.username);
const withdraw = async (from: Caller, key: string) => withdrawOffer(from, await findKey(from, key));
const accepting = (caller: Caller, key: string, expected?: Parameters<typeof acceptOffer>[2]) =>
  codeOf(acceptOffer(caller, key, expected));

let [old, next, other, holder] = [] as unknown as People;
let key: string;
beforeEach(async () => {
  [old, next, other, holder] = await people(4);
  key = await newKey(old);
});

describe("a key that is offered", () => {
  test("changes hands once it is accepted; holders, claim links and history stay", async () => {
    await add(old, key, holder);
    await add(old, key, { ...next, end: new Date(Date.now() + 3_600_000) });
    await offer(old, key, next);
    expect(await offerOf(key)).toMatchObject({ user: next.username });
    expect((await offersTo(next)).offers).toMatchObject([{ id: key, creator: old.username, holders: 3 }]);
    expect(await lossesOf(old.id)).toMatchObject({ offered: 1 });
    const before = await findKey(old, key);
    expect(before.creatorId).toBe(old.id);
    await acceptOffer(next, key);
    const record = await recordFor(next, await findKey(next, key));
    expect(record).toMatchObject({ creator: next.username, isCreator: true, data: "secret" });
    expect(Object.keys(record.users).sort()).toEqual([old, next, holder].map(({ username }) => username).sort());
    expect(record.users[next.username]).not.toHaveProperty("until");
    expect((await offersTo(next)).total).toBe(0);
    // The former creator is an ordinary holder, also with what was read before.
    for (const change of [
      () => deleteKey(old, before),
      () => updateKey(old, before, { field: "name", value: "Mine" }),
      () => updateKey(old, before, { field: "data", value: "longer than before" }),
      () => addHolder(old, before, { username: other.username }),
      () => revokeHolder(old, before, holder.username),
    ])
      expect(await codeOf(change())).toBe("not_creator");
    expect(await codeOf(trail(old, key))).toBe("not_creator");
    const events = await trail(next, key);
    expect(events.map(({ action }) => action)).toEqual(["key.accept", "key.offer", "key.add", "key.add", "key.create"]);
    expect(events[0]).toMatchObject({ actor: next.username, detail: { user: next.username, from: old.username } });
    await deleteKey(next, await findKey(next, key));
    expect(await codeOf(trailOfDeleted(old, key, { limit: 1 }))).toBe("key_not_found");
    expect(await trailOfDeleted(next, key, { limit: 1 })).toMatchObject([{ action: "key.delete" }]);
  });

  test("is accepted as it was shown, or not at all", async () => {
    await offer(old, key, next);
    const displayed = async () => {
      const [{ at, changedAt } = { at: new Date(0), changedAt: new Date(0) }] = (await offersTo(next)).offers;
      return { at, changedAt };
    };
    const first = await displayed();
    await updateKey(old, await findKey(old, key), { field: "data", value: "another secret" });
    expect(await accepting(next, key, first)).toBe("offer_changed");
    const second = await displayed();
    await withdraw(old, key);
    await offer(old, key, next);
    expect(await accepting(next, key, second)).toBe("offer_changed");
    expect((await findKey(old, key)).creatorId).toBe(old.id);
    expect(await accepting(next, key, await displayed())).toBe("ok");
  });

  test("with all others is offered only if they are as many as were shown", async () => {
    await newKey(old);
    expect(await codeOf(offerAllKeys(old, next.username, 1))).toBe("keys_changed");
    expect((await offersTo(next)).total).toBe(0);
    expect(await offerAllKeys(old, next.username, 2)).toMatchObject({ keys: 2 });
  });

  test("is declined, withdrawn, or offered to somebody else instead", async () => {
    await offer(old, key, next);
    expect(await accepting(other, key)).toBe("offer_not_found");
    expect(await codeOf(declineKey(other, key))).toBe("offer_not_found");
    await declineKey(next, key);
    expect(await codeOf(declineKey(next, key))).toBe("offer_not_found");
    expect(await accepting(next, key)).toBe("offer_not_found");
    await offer(old, key, next);
    await offer(old, key, other);
    expect(await accepting(next, key)).toBe("offer_not_found");
    expect(await withdraw(old, key)).toBe(true);
    expect(await withdraw(old, key)).toBe(false);
    expect(await accepting(other, key)).toBe("offer_not_found");
    const actions = (await trail(old, key)).map(({ action }) => action.replace("key.", ""));
    expect(actions).toEqual(["withdraw", "offer", "offer", "decline", "offer", "create"]);
  });

  test("is offered by its creator only, not to itself, and not by an admin", async () => {
    const admin = await makeAdmin();
    expect(await codeOf(offer(admin, key, admin))).toBe("not_creator");
    expect(await codeOf(offer(next, key, next))).toBe("not_creator");
    expect(await codeOf(offer(old, key, old))).toBe("invalid_parameter");
  });

  test("is shown to nobody who has blocked its creator", async () => {
    await blockGiver(next, old.username);
    await offer(old, key, next);
    expect(await offersTo(next)).toEqual({ offers: [], total: 0 });
    await unblockGiver(next, old.username);
    expect((await offersTo(next)).total).toBe(1);
  });

  test("shows itself to those who had blocked only its former creator", async () => {
    await blockGiver(holder, old.username);
    await add(old, key, holder);
    await offer(old, key, next);
    await acceptOffer(next, key);
    expect((await findKey(holder, key)).since).not.toBeNull();
  });

  test("is refused by the quotas of its new creator, and the offer stands", async () => {
    await db.key.updateMany({ where: { id: key }, data: { dataBytes: 2_000_000_000 } });
    await offer(old, key, next);
    expect(await accepting(next, key)).toBe("key_limit");
    expect((await offersTo(next)).total).toBe(1);
  });

  test("goes with the account of its creator, once that is being deleted", async () => {
    await offer(old, key, next);
    await db.user.update({ where: { id: old.id }, data: { deletingAt: new Date() } });
    expect(await accepting(next, key)).toBe("offer_not_found");
    expect((await offersTo(next)).total).toBe(0);
    await db.user.update({ where: { id: old.id }, data: { deletingAt: null } });
  });

  test("may be one of all that somebody has", async () => {
    await makeKeys(old, old, { count: 449 });
    expect(await offerAllKeys(old, next.username)).toEqual({ user: next.username, keys: 450 });
    const { offers, total } = await offersTo(next);
    expect([offers.length <= 25, total]).toEqual([true, 450]);
  });
});
