import { randomBytes } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { db } from "@/lib/db/client";
import { holdsKey } from "@/lib/keys/check";
import { acceptClaim, findClaim } from "@/lib/keys/claims/claim";
import { createClaimLinks, type WantedLinks } from "@/lib/keys/claims/create";
import { endClaimLinks, listClaimLinks } from "@/lib/keys/claims/manage";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import type { Caller } from "@/lib/user";
import { newNetwork } from "@/tests/support/network";
import { makeUsers } from "@/tests/support/user";

vi.hoisted(() => Object.assign(process.env, { FAILED_PASSWORDS_PER_NETWORK_10_MINUTES: "20" }));

const ROUNDS = 50;
const people = async (count: number) =>
  (await makeUsers(count)).map((user): Caller => ({ ...user, role: "user" })) as [Caller, Caller, Caller];
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error) => error.code,
  );

async function newLinks(creator: Caller, wanted: Partial<WantedLinks>) {
  const key = (await createKey(creator, { data: "secret", price: "1" })).id;
  const row = await findKey(creator, key);
  const all = { links: 1, most: 1, days: null, openDays: 30, note: "", ...wanted };
  const { links } = await createClaimLinks(creator, row, all, { origin: "https://keys.example" });
  return { row, secrets: links.map((link) => link.split("#")[1] ?? "") };
}

describe("races", () => {
  test(`of the last claims of a link, ${ROUNDS} times: exactly as many get the key as it is for`, async () => {
    const [creator, ...others] = (await people(5)) as [Caller, ...Caller[]];
    for (let round = 0; round < ROUNDS; round++) {
      const { row, secrets } = await newLinks(creator, { most: 1 + (round % 2) });
      const told = await Promise.all(others.map((one) => codeOf(acceptClaim(one, secrets[0] ?? "", newNetwork()))));
      const held = await Promise.all(others.map(({ username }) => holdsKey(username, row.id)));
      expect(told.filter((code) => code === "answered")).toHaveLength(1 + (round % 2));
      expect(told.map((code) => code === "answered")).toEqual(held);
      expect(told.filter((code) => code !== "answered" && code !== "bad_link")).toEqual([]);
      expect(await db.claimBatch.findFirst({ where: { keyId: row.id } })).toMatchObject({ claimed: 1 + (round % 2) });
    }
  });

  test(`of a claim and the end of its link, ${ROUNDS} times: the claim is whole, or refused`, async () => {
    const [creator, holder] = await people(2);
    let claimed = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const { row, secrets } = await newLinks(creator, {});
      const [batch] = (await listClaimLinks(creator, row, 1)).batches;
      const claim = () => codeOf(acceptClaim(holder, secrets[0] ?? "", newNetwork()));
      const end = () => endClaimLinks(creator, row, batch?.id ?? "");
      const [told, ended] =
        round % 2 ? await Promise.all([claim(), end()]) : (await Promise.all([end(), claim()])).reverse();
      expect([told, ended]).toEqual(told === "answered" ? ["answered", 0] : ["bad_link", 1]);
      expect(await holdsKey(holder.username, row.id)).toBe(told === "answered");
      claimed += told === "answered" ? 1 : 0;
    }
    expect(claimed).toBeLessThanOrEqual(ROUNDS);
  });

  test("of one person who presses twice claim once", async () => {
    const [creator, holder] = await people(2);
    const { row, secrets } = await newLinks(creator, { most: 10, days: 7 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => acceptClaim(holder, secrets[0] ?? "", newNetwork())),
    );
    expect(answers.filter(({ claimed }) => claimed)).toHaveLength(1);
    expect(await db.claimBatch.findFirst({ where: { keyId: row.id } })).toMatchObject({ claimed: 1 });
  });
});

test("10,000 guesses from one network are refused after 20, find nothing, and keep nobody else out", async () => {
  const [creator, holder] = await people(2);
  const { secrets } = await newLinks(creator, {});
  const network = newNetwork();
  const told = new Map<string, number>();
  for (let guess = 0; guess < 10_000; guess++) {
    const code = await codeOf(findClaim(null, randomBytes(32).toString("base64url"), network));
    told.set(code, (told.get(code) ?? 0) + 1);
  }
  expect(Object.fromEntries(told)).toEqual({ bad_link: 20, rate_limited: 9_980 });
  expect(await codeOf(findClaim(null, secrets[0] ?? "", network))).toBe("rate_limited");
  expect(await acceptClaim(holder, secrets[0] ?? "", newNetwork())).toMatchObject({ claimed: true });
});
