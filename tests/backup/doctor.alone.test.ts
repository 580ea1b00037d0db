import { expect, test } from "vitest";
import { sweepTokens } from "@/lib/access-tokens/sweep";
import { db } from "@/lib/db/client";
import { examine } from "@/lib/doctor/examine";
import { newId } from "@/lib/ids";
import { ENDED_KEPT_MS, sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { createKey } from "@/lib/keys/create";
import { sweepOneTimeLinks } from "@/lib/recovery/sweep";
import { makeUsers } from "@/tests/support/user";

const NEW_KEY = { data: "x", price: "1" };

test("the doctor reports at most 20 problems of a kind, however many there are", async () => {
  const broken = await makeUsers(250, { tokenSealed: "broken" });
  const problems: string[] = [];
  try {
    for await (const { check, problem } of examine()) if (check === "tokens") problems.push(problem);
  } finally {
    await db.user.deleteMany({ where: { id: { in: broken.map(({ id }) => id) } } });
  }
  expect(new Set(problems).size).toBe(20);
  expect(problems).toHaveLength(20);
});

test("the doctor notices that nothing sweeps: links expired long ago", async () => {
  const long = new Date(Date.now() - 2 * 60 * 60_000);
  await db.invitation.create({ data: { id: newId(), hash: newId(), role: "user", createdAt: long, expiresAt: long } });
  const found = async () => {
    const problems: string[] = [];
    for await (const { problem } of examine()) problems.push(problem);
    return problems.filter((problem) => problem.includes("invitations"));
  };
  expect(await found()).toEqual(["1 recovery links and invitations should have been deleted an hour ago."]);
  await sweepOneTimeLinks();
  expect(await found()).toEqual([]);
});

test("the doctor notices that nothing sweeps: tokens of links stay sealed", async () => {
  const [user] = await makeUsers(1);
  const row = { userId: String(user?.id), name: "Tool", nameKey: "tool", access: "read", hash: newId() };
  const long = new Date(Date.now() - 2 * 60 * 60_000);
  await db.accessToken.create({ data: { ...row, id: newId(), createdAt: long, sealedUntil: long } });
  const found = async () => {
    const checks: string[] = [];
    for await (const { check } of examine()) checks.push(check);
    return checks;
  };
  expect(await found()).toContain("sweep");
  await sweepTokens();
  expect(await found()).not.toContain("sweep");
});

test("the doctor counts the passkeys that a change of the host has left behind", async () => {
  const [user] = await makeUsers(1);
  const row = { userId: String(user?.id), publicKey: Buffer.from("key"), counter: 0n, transports: "", name: "Phone" };
  const make = (host: string) =>
    db.passkey.create({ data: { ...row, id: newId(), credentialId: newId(), host, createdAt: new Date() } });
  await Promise.all(["localhost", "moved.example.org", "moved.example.org"].map(make));
  const problems: string[] = [];
  try {
    for await (const { check, problem, advice } of examine())
      if (check === "passkeys" && advice.includes("set NEXTAUTH_URL")) problems.push(problem);
  } finally {
    await db.user.delete({ where: { id: user?.id } });
  }
  expect(problems).toEqual(["Of all passkeys, 2 belong to moved.example.org and cannot be used at localhost."]);
});

test("the doctor notices claim links that nothing swept, and a creator whose access would end", async () => {
  const [creator] = await makeUsers(1);
  const key = await createKey({ id: String(creator?.id), username: String(creator?.username), role: "user" }, NEW_KEY);
  const found = async () => {
    const checks: string[] = [];
    for await (const { check, problem } of examine()) if (/claim|creators/.test(problem)) checks.push(check);
    return checks;
  };
  expect(await found()).toEqual([]);
  const long = new Date(Date.now() - ENDED_KEPT_MS - 2 * 60 * 60_000);
  const life = { createdAt: long, expiresAt: long };
  await db.claimBatch.create({
    data: { id: newId(), keyId: key.id, note: "", links: 1, most: 1, claimed: 0, days: null, ...life },
  });
  await db.holder.updateMany({ where: { keyId: key.id }, data: { until: new Date(Date.now() + 1000) } });
  expect(await found()).toEqual(["sweep", "keys"]);
  await sweepClaimLinks();
  await db.key.delete({ where: { id: key.id } });
  expect(await found()).toEqual([]);
});
