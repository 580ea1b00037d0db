import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { sweepOneTimeLinks } from "@/lib/accounts/ways-in/one-time-link";
import { RETENTION_MS, sweepClaimLinks } from "@/lib/keys/claims/sweep";
import { createKey } from "@/lib/keys/create";
import { sweepSealed } from "@/lib/link/sweep";
import { beginExamination, lastExamination } from "@/lib/operator/doctor/examination";
import { examine } from "@/lib/operator/doctor/examine";
import type { Finding } from "@/lib/operator/doctor/finding";
import { resealAll } from "@/lib/operator/reseal";
import { rotateSigning } from "@/lib/operator/rotate";
import { forgetDataKeys } from "@/lib/platform/crypto/data-keys";
import { forgetUserKeys } from "@/lib/platform/crypto/user-keys";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { HOUR_MS, later } from "@/lib/platform/time";
import { makeUser, makeUsers } from "@/tests/support/user";

const long = later(new Date(), -2 * HOUR_MS);
const asCaller = (user: { id: string; username: string }): Caller => ({ ...user, role: "user" });

async function found(now?: Date): Promise<Finding[]> {
  forgetDataKeys();
  forgetUserKeys();
  const findings: Finding[] = [];
  for await (const finding of examine(now && (() => now))) findings.push(finding);
  return findings;
}
const problemsWith = async (words: RegExp) =>
  (await found()).map(({ problem }) => problem).filter((problem) => words.test(problem));
const problemsOf = async (...checks: string[]) => (await found()).filter(({ check }) => checks.includes(check));

describe("the doctor", () => {
  test("reports at most 20 problems of a kind, however many there are", async () => {
    const broken = await makeUsers(30, { tokenSealed: "broken" });
    const problems = (await problemsOf("tokens")).map(({ problem }) => problem);
    await db.user.deleteMany({ where: { id: { in: broken.map(({ id }) => id) } } });
    expect(new Set(problems).size).toBe(20);
    expect(problems).toHaveLength(20);
  });

  test("notices that nothing sweeps: links expired long ago", async () => {
    const row = { id: newId(), hash: newId(), role: "user", createdAt: long, expiresAt: long };
    await db.invitation.create({ data: row });
    const problem = "1 recovery link or invitation should have been deleted an hour ago.";
    expect(await problemsWith(/invitation/)).toEqual([problem]);
    await sweepOneTimeLinks();
    expect(await problemsWith(/invitation/)).toEqual([]);
  });

  test("notices that nothing sweeps: tokens of links stay sealed", async () => {
    const { id: userId } = await makeUser();
    const row = { id: newId(), userId, name: "Tool", nameKey: "tool", access: "read", hash: newId() };
    await db.accessToken.create({ data: { ...row, createdAt: long, sealedUntil: long } });
    expect(await problemsOf("sweep")).toHaveLength(1);
    await sweepSealed();
    expect(await problemsOf("sweep")).toEqual([]);
  });

  test("notices claim links that nothing swept, and a creator whose access would end", async () => {
    const { id: keyId } = await createKey(asCaller(await makeUser()), { data: "x", price: "1" });
    const checks = async () =>
      (await found()).flatMap(({ check, problem }) => (/claim|creator/.test(problem) ? [check] : []));
    expect(await checks()).toEqual([]);
    const ended = later(long, -RETENTION_MS);
    const batch = { id: newId(), keyId, note: "", links: 1, most: 1, claimed: 0, days: null };
    await db.claimBatch.create({ data: { ...batch, createdAt: ended, expiresAt: ended } });
    await db.holder.updateMany({ where: { keyId }, data: { until: later(new Date(), 1000) } });
    expect(await checks()).toEqual(["sweep", "keys"]);
    await sweepClaimLinks();
    await db.key.delete({ where: { id: keyId } });
    expect(await checks()).toEqual([]);
  });

  test("counts the passkeys that a change of the host has left behind", async () => {
    const { id: userId } = await makeUser();
    const row = { userId, publicKey: Buffer.from("key"), counter: 0n, transports: "", name: "Phone" };
    const hosts = ["localhost", "moved.example.org", "moved.example.org"];
    await db.passkey.createMany({
      data: hosts.map((host) => ({ ...row, id: newId(), credentialId: newId(), host, createdAt: new Date() })),
    });
    const findings = await problemsOf("passkeys");
    await db.user.delete({ where: { id: userId } });
    const left = findings.filter(({ advice }) => advice.includes("set NEXTAUTH_URL"));
    const problem = "2 passkeys belong to moved.example.org and cannot be used at localhost.";
    expect(left.map((one) => one.problem)).toEqual([problem]);
  });
});

describe("an examination", () => {
  const ended = () => expect.poll(async () => (await lastExamination())?.state).toBe("ended");
  const begun = (actorId: string) => db.auditEvent.count({ where: { action: "doctor.run", actorId } });
  const tokens = async () => (await lastExamination())?.findings.filter(({ check }) => check === "tokens");

  test("works in the background, once at a time, and what it found stays", async () => {
    expect(await lastExamination()).toBeNull();
    const admin = await makeUser({ role: "admin" });
    const broken = await makeUsers(3, { tokenSealed: "broken" });
    await Promise.all(Array.from({ length: 5 }, () => beginExamination(admin.id)));
    expect(await begun(admin.id)).toBe(1);
    await ended();
    expect(await tokens()).toHaveLength(3);
    await db.user.deleteMany({ where: { id: { in: broken.map(({ id }) => id) } } });
    await beginExamination(admin.id);
    await ended();
    expect(await begun(admin.id)).toBe(2);
    expect(await tokens()).toEqual([]);
  });

  test("whose process ended is interrupted, and another one may begin", async () => {
    const admin = await makeUser({ role: "admin" });
    const at = later(new Date(), -60_000);
    const row = { startedAt: at, refreshedAt: at, endedAt: null, findings: "[]" };
    await db.examination.upsert({ where: { id: "doctor" }, create: { id: "doctor", ...row }, update: row });
    expect((await lastExamination())?.state).toBe("interrupted");
    await beginExamination(admin.id);
    expect(await begun(admin.id)).toBe(1);
    await ended();
  });
});

describe("of what is sealed, the doctor", () => {
  let creator: Caller;
  let id: string;
  beforeAll(async () => {
    creator = asCaller(await makeUser());
    id = (await createKey(creator, { data: "a secret", price: "1" })).id;
    await createKey(creator, { data: "another secret", price: "1" });
    await resealAll(60_000);
  });
  afterEach(async () => expect(await problemsOf("sealing", "sweep")).toEqual([]));

  const named = (problem: string, advice = expect.any(String)) => [
    { check: "sealing", problem: expect.stringContaining(problem), advice },
  ];

  test.each<[string, { data?: string; dataBytes?: number; sealedWith?: number | null }, string]>([
    ["data of another", { data: "AAAA" }, "was changed by something else, and does not open"],
    ["a wrong size", { dataBytes: 9 }, "size of a key's data is wrong"],
    ["a missing key", { sealedWith: 7 }, "that opens the data of a key is missing"],
    ["data in the clear", { sealedWith: null, data: "a secret" }, "1 key and 0 pieces of files are not sealed yet"],
  ])("names %s", async (_, change, words) => {
    const { data, dataBytes, sealedWith } = await db.key.findUniqueOrThrow({ where: { id } });
    await db.key.update({ where: { id }, data: change });
    const findings = await problemsOf("sealing", "sweep");
    await db.key.update({ where: { id }, data: { data, dataBytes, sealedWith } });
    const which = change.sealedWith === null ? "." : `. This is the key ${id} of ${creator.username}.`;
    expect(findings).toEqual(named(words + which));
  });

  test("names a user's key that is damaged, once, and not each key that it opens", async () => {
    const where = { userId_number: { userId: creator.id, number: 1 } };
    const { wrapped } = await db.userKey.findUniqueOrThrow({ where });
    await db.userKey.update({ where, data: { wrapped: wrapped.map((byte, n) => (n === 30 ? byte ^ 1 : byte)) } });
    const findings = await problemsOf("sealing", "sweep");
    await db.userKey.update({ where, data: { wrapped } });
    expect(findings).toEqual(named(`The key 1 of ${creator.username}, which opens what the user stored, is damaged.`));
  });

  test("names a data key that no secret opens, and what is lost with it", async () => {
    const where = { id: 1 };
    const { wrapped } = await db.dataKey.findUniqueOrThrow({ where });
    await db.dataKey.update({ where, data: { wrapped: new Uint8Array(60) } });
    const findings = await problemsOf("sealing", "sweep");
    await db.dataKey.update({ where, data: { wrapped } });
    const lost = "No secret opens the data keys 1: the data of 2 keys, files of 0 users.";
    expect(findings).toEqual(named(lost, expect.stringContaining("former secret")));
  });

  test("names signing keys that no secret opens, and says what that means for what is signed", async () => {
    await rotateSigning();
    await rotateSigning();
    const numbers = (await db.signingKey.findMany({ orderBy: { number: "asc" } })).map(({ number }) => number);
    for (const [number, means, advice] of [
      [numbers[0], "what they signed is no longer recognised", "or end them with signing:retire"],
      [numbers[1], "nothing can be signed", "or run signing:rotate"],
    ] as const) {
      const where = { number };
      const { sealed } = await db.signingKey.findUniqueOrThrow({ where });
      await db.signingKey.update({ where, data: { sealed: sealed.map((byte, n) => (n === 30 ? byte ^ 1 : byte)) } });
      const findings = await problemsOf("sealing", "sweep");
      await db.signingKey.update({ where, data: { sealed } });
      const problem = `No secret opens the signing keys ${number}, or they were changed: ${means}.`;
      expect(findings).toEqual(named(problem, expect.stringContaining(advice)));
    }
  });

  test("tells how far resealing is that nobody continues", async () => {
    await db.dataKey.updateMany({ data: { passes: 0, resealedTo: "", resealedAt: null } });
    const users = await db.user.count();
    const findings = await found(later(new Date(), 2 * HOUR_MS));
    const [finding] = findings.filter(({ problem }) => problem.includes("former data key"));
    expect(finding).toMatchObject({
      check: "sweep",
      problem: expect.stringContaining(`0 of ${users} users done.`),
    });
  });
});
