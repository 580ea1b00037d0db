import { expect, test } from "vitest";
import { approveRequest, endRequest } from "@/lib/link/approve";
import { REFUSED_CODES } from "@/lib/link/limits";
import { recentGuessers, recentLinks } from "@/lib/link/operator";
import type { CodeOptions } from "@/lib/link/program";
import { secondsAfter } from "@/lib/link/states";
import { auditTrail, OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { collect, enter, neverIssued, newRequest, requested, status, unlessLimited } from "./flow";

const askedNow = (wish: CodeOptions = {}) => requested(newNetwork(), new Date(), wish);
const shown = async (id: string) => (await recentLinks()).links.find((link) => link.id === id);
const over = { status: 409, code: "code_unusable" };

test("a code that an operator ends can no longer be approved, and its program learns that it is denied", async () => {
  const { code, id, secret, network, actor } = await askedNow();
  const admin = await makeUser({ role: "admin" });
  expect(await shown(id)).toMatchObject({ status: "pending", isLive: true, program: "curl", network: network.id });
  await endRequest(admin.id, id);
  expect(await shown(id)).toMatchObject({ status: "denied", isLive: false });
  await expect(approveRequest(actor, id)).rejects.toMatchObject(over);
  expect(await status(code, network, new Date(), { secret })).toBe("denied");
  expect(await collect(code, network, new Date(), { secret })).toBeNull();
  expect(await auditTrail({ subjectId: id }, 1)).toMatchObject([
    { action: "link.end", actor: admin.username, detail: { network: network.id, program: "curl" } },
  ]);
  await expect(endRequest(admin.id, id)).rejects.toMatchObject(over);
});

test.each(["account", "identity"] as const)("an approved one (%s) gives its program no token", async (choice) => {
  const { code, id, secret, network, actor } = await askedNow(choice === "account" ? {} : { access: "identity" });
  await approveRequest(actor, id);
  expect(await shown(id)).toMatchObject({ status: "approved", isLive: true });
  await endRequest(OPERATOR, id);
  expect(await collect(code, network, new Date(), { secret })).toBeNull();
  expect(await status(code, network, new Date(), { secret })).toBe("denied");
  expect(await db.accessToken.count({ where: { id } })).toBe(0);
  expect(await db.linkCode.findUnique({ where: { id } })).toMatchObject({
    userId: null,
    tokenHash: null,
    sealed: null,
  });
});

test("codes that are over, or unknown, cannot be ended", async () => {
  const expired = await newRequest(newNetwork(), secondsAfter(new Date(), -601));
  await expect(endRequest(OPERATOR, expired.id)).rejects.toMatchObject(over);
  for (const id of [newId(), "'; DROP TABLE"])
    await expect(endRequest(OPERATOR, id)).rejects.toMatchObject({ status: 404, code: "code_not_found" });
});

test("an operator sees who else knows of a code, and no letter of it", async () => {
  const { code, id, secret, user } = await askedNow();
  await collect(code, newNetwork());
  for (const actor of [user, await makeUser()]) await enter(actor, code);
  expect(await shown(id)).toMatchObject({ onlookers: 1, entries: 2 });
  const told = JSON.stringify([await recentLinks(), await recentGuessers()]);
  expect(told).not.toContain(code);
  expect(told).not.toContain(secret);
});

test("an operator sees which networks guess, which limits they reached, and since when there is an alarm", async () => {
  const [guesser, honest] = [newNetwork(), newNetwork()];
  await collect(neverIssued(), honest);
  const began = Date.now();
  const codes = env.LINK_FOREIGN_CODES_PER_10_MINUTES + REFUSED_CODES + 2;
  for (let guess = 0; guess < codes; guess++) await unlessLimited(collect(neverIssued(), guesser));
  const guessers = await recentGuessers();
  expect(guessers.find((one) => one.network === guesser.id)).toMatchObject({
    codes: env.LINK_FOREIGN_CODES_PER_10_MINUTES,
    limits: ["other codes"],
    program: "curl",
    alarmSince: expect.any(Date),
  });
  const since = guessers.find((one) => one.network === guesser.id)?.alarmSince?.getTime() ?? 0;
  expect(Math.abs(since - began)).toBeLessThan(10_000);
  expect(guessers.map((one) => one.network)).not.toContain(honest.id);
  expect(guessers.length).toBeLessThanOrEqual(20);
});
