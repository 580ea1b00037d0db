import { expect, test } from "vitest";
import { acceptClaim } from "@/lib/keys/claims/claim";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder, revokeHolder } from "@/lib/keys/holders";
import { markNewsSeen, newsFor } from "@/lib/keys/news";
import type { Caller } from "@/lib/user";
import { newNetwork } from "@/tests/support/network";
import { makeUsers } from "@/tests/support/user";

const DAY = 86_400_000;
const people = async (count: number) =>
  (await makeUsers(count)).map((user): Caller => ({ ...user, role: "user" })) as [Caller, Caller, Caller];

test("a holder is told who gave what, once, and of an end within a week for as long as it is near", async () => {
  const [creator, holder] = await people(2);
  const key = (await createKey(creator, { data: "x", price: "1", name: "Pro licence 2026" })).id;
  const row = await findKey(creator, key);
  const end = new Date((Math.floor(Date.now() / 1000) + 10 * 86_400) * 1000);
  expect(await newsFor(holder)).toMatchObject({ given: { total: 0 }, ending: { total: 0 }, claimed: { total: 0 } });
  await addHolder(creator, row, holder.username, end);
  const news = await newsFor(holder);
  expect(news.given).toMatchObject({
    total: 1,
    items: [{ id: key, name: "Pro licence 2026", user: creator.username }],
  });
  expect(news.ending.total).toBe(0);
  expect((await newsFor(creator)).given.total).toBe(0);
  await expect(markNewsSeen(holder, new Date(Date.now() + DAY))).rejects.toThrow("future");
  await markNewsSeen(holder, news.at);
  await markNewsSeen(holder, new Date(0));
  expect((await newsFor(holder)).given.total).toBe(0);
  const near = await newsFor(holder, new Date(end.getTime() - 7 * DAY));
  expect(near.ending).toMatchObject({ total: 1, items: [{ id: key, at: end }] });
  expect((await newsFor(holder, end)).ending.total).toBe(0);
  await revokeHolder(creator, row, holder.username);
  expect((await newsFor(holder, new Date(end.getTime() - DAY))).ending.total).toBe(0);
});

test("a creator is told of claims, the latest five and how many there are, for 30 days", async () => {
  const [creator, ...others] = (await people(7)) as [Caller, ...Caller[]];
  const key = (await createKey(creator, { data: "x", price: "1" })).id;
  const wanted = { links: 1, most: 10, days: null, openDays: 1, note: "" };
  const { links } = await createClaimLinks(creator, await findKey(creator, key), wanted, { origin: "" });
  for (const one of others) await acceptClaim(one, links[0]?.split("#")[1] ?? "", newNetwork());
  const news = await newsFor(creator);
  expect(news.claimed.total).toBe(6);
  expect(news.claimed.items).toHaveLength(5);
  expect((await newsFor(creator, new Date(Date.now() + 31 * DAY))).claimed.total).toBe(0);
  await markNewsSeen(creator, news.at);
  expect((await newsFor(creator)).claimed.total).toBe(0);
});
