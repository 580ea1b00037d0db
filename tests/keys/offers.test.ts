import { describe, expect, test } from "vitest";
import { lossesOf } from "@/lib/account/losses";
import { db } from "@/lib/db/client";
import { blockGiver, unblockGiver } from "@/lib/keys/blocks";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { acceptOffer } from "@/lib/keys/offers/accept";
import { offerOf, offersTo } from "@/lib/keys/offers/list";
import { declineKey, offerAllKeys, offerKey, withdrawOffer } from "@/lib/keys/offers/offer";
import { recordFor } from "@/lib/keys/record";
import { trailOf, trailOfDeleted } from "@/lib/keys/trail";
import { updateKey } from "@/lib/keys/update";
import type { Caller } from "@/lib/user";
import { makeKeys } from "@/tests/keys/make-keys";
import { sized } from "@/tests/support/size";
import { makeUser, makeUsers } from "@/tests/support/user";

const people = async (count: number) =>
  (await makeUsers(count)).map((user): Caller => ({ ...user, role: "user" })) as [Caller, Caller, Caller];
const newKey = async (creator: Caller, data = "secret") =>
  (await createKey(creator, { data, price: "1", name: "Pro licence" })).id;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );
const offer = async (from: Caller, key: string, to: Caller) => offerKey(from, await findKey(from, key), to.username);

describe("a key that is offered", () => {
  test("changes hands once it is accepted; holders, claim links and history stay", async () => {
    const [old, next, holder] = await people(3);
    const key = await newKey(old);
    await addHolder(old, await findKey(old, key), holder.username);
    // The new creator may hold it already, and with an end.
    await addHolder(old, await findKey(old, key), next.username, new Date(Date.now() + 3_600_000));
    await offer(old, key, next);
    expect(await offerOf(key)).toMatchObject({ user: next.username });
    expect((await offersTo(next)).offers).toMatchObject([{ id: key, creator: old.username, holders: 3 }]);
    expect(await lossesOf(old.id)).toMatchObject({ offered: 1 });
    expect((await findKey(old, key)).creatorId).toBe(old.id);
    const before = await findKey(old, key);
    await acceptOffer(next, key);
    const record = await recordFor(next, await findKey(next, key));
    expect(record).toMatchObject({ creator: next.username, isCreator: true, data: "secret" });
    expect(Object.keys(record.users).sort()).toEqual([old, next, holder].map(({ username }) => username).sort());
    expect(record.users[next.username]).not.toHaveProperty("until");
    expect((await offersTo(next)).total).toBe(0);
    // The former creator is an ordinary holder, also with what was read before.
    const stranger = await makeUser();
    for (const change of [
      () => deleteKey(old, before),
      () => updateKey(old, before, { field: "name", value: "Mine" }),
      () => updateKey(old, before, { field: "data", value: "longer than before" }),
      () => addHolder(old, before, stranger.username),
      () => revokeHolder(old, before, holder.username),
    ])
      expect(await codeOf(change())).toBe("not_creator");
    expect(await codeOf(trailOf(old, await findKey(old, key), 5))).toBe("not_creator");
    const events = await trailOf(next, await findKey(next, key), 10);
    expect(events.map(({ action }) => action)).toEqual(["key.accept", "key.offer", "key.add", "key.add", "key.create"]);
    expect(events[0]).toMatchObject({ actor: next.username, detail: { user: next.username, from: old.username } });
    await deleteKey(next, await findKey(next, key));
    expect(await codeOf(trailOfDeleted(old, key, 1))).toBe("key_not_found");
    expect(await trailOfDeleted(next, key, 1)).toMatchObject([{ action: "key.delete" }]);
  });

  test("is accepted as it was shown, or not at all", async () => {
    const [old, next] = await people(2);
    const key = await newKey(old);
    await offer(old, key, next);
    const shown = async () => {
      const [{ at, changedAt } = { at: new Date(0), changedAt: new Date(0) }] = (await offersTo(next)).offers;
      return { at, changedAt };
    };
    const first = await shown();
    await updateKey(old, await findKey(old, key), { field: "data", value: "another secret" });
    expect(await codeOf(acceptOffer(next, key, first))).toBe("offer_changed");
    const second = await shown();
    await withdrawOffer(old, await findKey(old, key));
    await offer(old, key, next);
    expect(await codeOf(acceptOffer(next, key, second))).toBe("offer_changed");
    expect((await findKey(old, key)).creatorId).toBe(old.id);
    expect(await codeOf(acceptOffer(next, key, await shown()))).toBe("answered");
  });

  test("with all others is offered only if they are as many as were shown", async () => {
    const [old, next] = await people(2);
    await newKey(old);
    await newKey(old);
    expect(await codeOf(offerAllKeys(old, next.username, 1))).toBe("keys_changed");
    expect((await offersTo(next)).total).toBe(0);
    expect(await offerAllKeys(old, next.username, 2)).toMatchObject({ keys: 2 });
  });

  test("is declined, withdrawn, or offered to somebody else instead", async () => {
    const [old, next, other] = await people(3);
    const key = await newKey(old);
    await offer(old, key, next);
    expect(await codeOf(acceptOffer(other, key))).toBe("offer_not_found");
    await declineKey(next, key);
    expect(await codeOf(declineKey(next, key))).toBe("offer_not_found");
    expect(await codeOf(acceptOffer(next, key))).toBe("offer_not_found");
    await offer(old, key, next);
    await offer(old, key, other);
    expect(await codeOf(acceptOffer(next, key))).toBe("offer_not_found");
    expect(await withdrawOffer(old, await findKey(old, key))).toBe(true);
    expect(await withdrawOffer(old, await findKey(old, key))).toBe(false);
    expect(await codeOf(acceptOffer(other, key))).toBe("offer_not_found");
    expect((await trailOf(old, await findKey(old, key), 10)).map(({ action }) => action)).toEqual([
      "key.withdraw",
      "key.offer",
      "key.offer",
      "key.decline",
      "key.offer",
      "key.create",
    ]);
  });

  test("is offered by its creator only, not to itself, and not by an admin", async () => {
    const [old, next] = await people(2);
    const admin: Caller = { ...(await makeUser({ role: "admin" })), role: "admin" };
    const key = await newKey(old);
    expect(await codeOf(offer(admin, key, admin))).toBe("not_creator");
    expect(await codeOf(offer(next, key, next))).toBe("not_creator");
    expect(await codeOf(offer(old, key, old))).toBe("invalid_parameter");
  });

  test("is shown to nobody who has blocked its creator", async () => {
    const [old, next] = await people(2);
    const key = await newKey(old);
    await blockGiver(next, old.username, false);
    await offer(old, key, next);
    expect(await offersTo(next)).toEqual({ offers: [], total: 0 });
    await unblockGiver(next, old.username);
    expect((await offersTo(next)).total).toBe(1);
  });

  test("shows itself to those who had blocked only its former creator", async () => {
    const [old, next, holder] = await people(3);
    const key = await newKey(old);
    await blockGiver(holder, old.username, false);
    await addHolder(old, await findKey(old, key), holder.username);
    await offer(old, key, next);
    await acceptOffer(next, key);
    expect((await findKey(holder, key)).since).not.toBeNull();
  });

  test("is refused by the quotas of its new creator, and the offer stands", async () => {
    const [old, next] = await people(2);
    const key = await newKey(old, "x".repeat(60_000));
    await db.key.updateMany({ where: { id: key }, data: { dataBytes: 2_000_000_000 } });
    await offer(old, key, next);
    expect(await codeOf(acceptOffer(next, key))).toBe("key_limit");
    expect((await offersTo(next)).total).toBe(1);
  });

  test("goes with the account of its creator, once that is being deleted", async () => {
    const [old, next] = await people(2);
    const key = await newKey(old);
    await offer(old, key, next);
    await db.user.update({ where: { id: old.id }, data: { deletingAt: new Date() } });
    expect(await codeOf(acceptOffer(next, key))).toBe("offer_not_found");
    expect((await offersTo(next)).total).toBe(0);
    await db.user.update({ where: { id: old.id }, data: { deletingAt: null } });
  });

  test("may be one of all that somebody has", async () => {
    const [old, next] = await people(2);
    const count = 450;
    await makeKeys({ id: old.id }, { id: old.id }, count);
    expect(await offerAllKeys(old, next.username)).toEqual({ user: next.username, keys: count });
    expect((await offersTo(next)).total).toBe(count);
    expect((await offersTo(next)).offers.length).toBeLessThanOrEqual(25);
  });
});

test(`accepting against deleting, ${sized(5, 50)} times: the key is handed over, or it is gone`, async () => {
  const [old, next] = await people(2);
  for (let round = 0; round < sized(5, 50); round++) {
    const key = await newKey(old);
    await offer(old, key, next);
    const row = await findKey(old, key);
    const accept = () => codeOf(acceptOffer(next, key));
    const remove = () => codeOf(deleteKey(old, row));
    const [accepted, removed] =
      round % 2 ? await Promise.all([accept(), remove()]) : (await Promise.all([remove(), accept()])).reverse();
    const left = await db.key.findUnique({ where: { id: key }, select: { creatorId: true } });
    if (accepted === "answered") {
      expect([removed, left?.creatorId]).toEqual(["not_creator", next.id]);
      await deleteKey(next, await findKey(next, key));
    } else expect([accepted, removed, left]).toEqual(["offer_not_found", "answered", null]);
  }
});
