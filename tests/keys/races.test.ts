import { describe, expect, test, vi } from "vitest";
import { findKey } from "@/lib/keys/access";
import { holdingOf } from "@/lib/keys/check";
import { endClaimLinks } from "@/lib/keys/claims/end";
import { listClaimLinks } from "@/lib/keys/claims/list";
import { deleteKey } from "@/lib/keys/delete";
import { addHolder } from "@/lib/keys/grant";
import { acceptOffer, offerKey } from "@/lib/keys/offers";
import { db } from "@/lib/platform/db/client";
import { sized } from "@/tests/support/size";
import { codeOf } from "@/tests/support/statements";
import { add, claim, claimLinks, holdsKey, newKey, patiently, people, revoke, trail } from "./keys";

const ROUNDS = sized(10, 100);

async function against<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (round % 2) return Promise.all([one(), other()]);
  const [second, first] = await Promise.all([other(), one()]);
  return [first, second];
}

describe("50 revocations and 50 additions of one user at once", () => {
  test("leave the state of the last one committed, and exactly those that changed something in the trail", async () => {
    const [creator, user] = await people(2);
    const key = await newKey(creator);
    const results = await Promise.all(
      Array.from({ length: 100 }, async (_, index) =>
        index % 2 === 0
          ? { action: "key.revoke", changed: (await patiently(() => revoke(creator, key, user))).revoked }
          : { action: "key.add", changed: (await patiently(() => add(creator, key, user))).added },
      ),
    );
    const events = await db.auditEvent.findMany({
      where: { subjectId: key, action: { not: "key.create" } },
      orderBy: { id: "asc" },
    });
    const inOrder = events.map(({ action }) => action);
    const changes = results.filter(({ changed }) => changed).map(({ action }) => action);
    expect(inOrder.toSorted()).toEqual(changes.sort());
    // Only an addition can follow a revocation, and the other way round: another order is not that of the commits.
    expect(inOrder).toEqual(inOrder.map((_, index) => (index % 2 === 0 ? "key.add" : "key.revoke")));
    expect(inOrder.length).toBeGreaterThan(0);
    expect(await holdsKey(user.username, key)).toBe(inOrder.at(-1) === "key.add");
  });
});

test("extending access at the second of its end: whichever was last holds, and nobody is added twice", async () => {
  const [creator, holder] = await people(2);
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKey(creator);
    const row = await findKey(creator, key);
    const end = new Date((Math.floor(Date.now() / 1000) + 100) * 1000);
    await addHolder(creator, row, { username: holder.username, end });
    // Just before, at and just after that second, in turn; the clock of the databases plays no part.
    vi.useFakeTimers({ now: end.getTime() + (round % 5) - 2, toFake: ["Date"] });
    const later = [600_000, 1_200_000].map((ms) => new Date(end.getTime() + ms));
    const results = await Promise.all([
      ...later.map((one) => addHolder(creator, row, { username: holder.username, end: one })),
      holdingOf(holder.username, key),
    ]);
    const held = await holdingOf(holder.username, key);
    vi.useRealTimers();
    expect(later).toContainEqual(held?.until);
    expect(results.slice(0, 2)).toEqual(Array(2).fill({ user: holder.username, added: false, changed: true }));
    const events = await trail(creator, key);
    expect(events.map(({ action }) => action)).toEqual(["key.until", "key.until", "key.add", "key.create"]);
    expect(events[0]?.detail.until).toBe(held?.until?.toISOString());
    expect(events[0]?.detail.from).toBe(events[1]?.detail.until);
  }
});

test("accepting an offer against deleting: the key is handed over, or it is gone", async () => {
  const [old, next] = await people(2);
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKey(old);
    const row = await findKey(old, key);
    await offerKey(old, row, next.username);
    const accept = () => codeOf(acceptOffer(next, key));
    const [accepted, removed] = await against(round, accept, () => codeOf(deleteKey(old, row)));
    const left = await db.key.findUnique({ where: { id: key }, select: { creatorId: true } });
    const isAccepted = accepted === "ok";
    expect([accepted, removed, left?.creatorId]).toEqual(
      isAccepted ? ["ok", "not_creator", next.id] : ["offer_not_found", "ok", undefined],
    );
    if (isAccepted) await deleteKey(next, await findKey(next, key));
  }
});

test("claims of the last places of a link: exactly as many get the key as it is for", async () => {
  const [creator, ...others] = await people(5);
  for (let round = 0; round < ROUNDS; round++) {
    const limit = 1 + (round % 2);
    const key = await newKey(creator);
    const [secret] = await claimLinks(creator, key, { most: limit });
    const codes = await Promise.all(others.map((one) => codeOf(claim(one, secret))));
    const held = await Promise.all(others.map(({ username }) => holdsKey(username, key)));
    expect(codes.toSorted()).toEqual([...Array(4 - limit).fill("bad_link"), ...Array(limit).fill("ok")]);
    expect(codes.map((code) => code === "ok")).toEqual(held);
    expect(await db.claimBatch.findFirst({ where: { keyId: key } })).toMatchObject({ claimed: limit });
  }
});

test("claims against the end of their link are whole, or refused", async () => {
  const [creator, holder] = await people(2);
  for (let round = 0; round < ROUNDS; round++) {
    const key = await newKey(creator);
    const [secret] = await claimLinks(creator, key);
    const row = await findKey(creator, key);
    const [batch] = (await listClaimLinks(creator, row, { page: "" })).batches;
    const end = () => endClaimLinks(creator, row, { batchId: batch?.id ?? "" });
    const [code, ended] = await against(round, () => codeOf(claim(holder, secret)), end);
    expect([code, ended]).toEqual(code === "ok" ? ["ok", 0] : ["bad_link", 1]);
    expect(await holdsKey(holder.username, key)).toBe(code === "ok");
  }
});

test("claims of one person who presses ten times are one", async () => {
  const [creator, holder] = await people(2);
  const key = await newKey(creator);
  const [secret] = await claimLinks(creator, key, { most: 10, days: 7 });
  const results = await Promise.all(Array.from({ length: 10 }, () => claim(holder, secret)));
  expect(results.filter(({ claimed }) => claimed)).toHaveLength(1);
  expect(await db.claimBatch.findFirst({ where: { keyId: key } })).toMatchObject({ claimed: 1 });
});
