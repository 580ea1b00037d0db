import { decodeProtectedHeader } from "jose";
import { describe, expect, test } from "vitest";
import { openSession, SESSION_SECONDS } from "@/lib/accounts/sessions";
import { checkValidator, createValidator } from "@/lib/accounts/validators";
import { createCode } from "@/lib/link/create";
import { OPERATOR } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { later } from "@/lib/platform/time";
import { answer, makeOperatorsUser, refusal } from "./command";

describe("stats", () => {
  const dayOf = (time: Date) => time.toISOString().slice(0, 10);

  test("prints the last days with what is stored, and what happened until now", async () => {
    await makeOperatorsUser();
    const before = dayOf(new Date());
    const { countedAt, days } = (await answer("stats", "--days", "3")) as {
      countedAt: string;
      days: Record<string, unknown>[];
    };
    expect(Date.now() - Date.parse(countedAt)).toBeLessThan(5 * 60_000);
    expect(days).toHaveLength(3);
    expect(days[2]).toMatchObject({ refusals: {}, asked: 0 });
    expect([before, dayOf(new Date())]).toContain(days[2]?.day);
    expect(days[2]?.users).toBeGreaterThan(0);
    expect(days.some(({ signUps }) => Number(signUps) > 0)).toBe(true);
    expect(days[0]).toMatchObject({ users: null, signUps: 0 });
  });

  test.each(["0", "31", "-1", "ten", "1.5"])("refuses %s days", async (days) => {
    expect(await refusal("stats", `--days=${days}`)).toContain("a whole number from 1 to 30");
  });
});

test("signing:rotate creates a key that signs from now on, and locks out nobody, until signing:retire", async () => {
  const user = await makeOperatorsUser();
  const [audience, issuer] = ["play.example.org", "https://keys.example.org"];
  const sign = async () => (await createValidator({ ...user, role: "user" }, { audience, issuer })).validator;
  const before = await sign();
  const { signingKey } = (await answer("signing:rotate")) as { signingKey: number };
  const [nobody, first] = [expect.stringMatching(/^Nobody who checks licences: /), signingKey - 1];
  const next = { signingKey: signingKey + 1, proofs: first, lockedOut: nobody };
  expect(await answer("signing:rotate", "--dry-run")).toEqual(next);
  expect(await answer("signing:rotate")).toEqual(next);
  const event = { action: "signing.rotate", actorId: OPERATOR, detail: JSON.stringify({ which: String(signingKey) }) };
  expect(await db.auditEvent.findMany({ where: { action: "signing.rotate" } })).toContainEqual(
    expect.objectContaining(event),
  );
  const after = await sign();
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  for (const validator of [before, after])
    expect(await checkValidator(validator, audience)).toMatchObject({ valid: true });
  const lockedOut = expect.stringContaining(`programs that have only key ${first}: those that were not online since`);
  const ended = { retired: first, proofs: signingKey, lockedOut };
  expect(await answer("signing:retire", String(first), "--dry-run")).toEqual(ended);
  expect(await checkValidator(before, audience)).toMatchObject({ valid: true });
  expect(await answer("signing:retire", String(first))).toEqual(ended);
  expect(await checkValidator(before, audience)).toMatchObject({ valid: false });
  for (const number of [first, signingKey + 1, 99])
    expect(await refusal("signing:retire", String(number))).toContain(
      "No former signing key has this number. There are",
    );
  expect(await refusal("signing:retire", "first")).toContain("It must be a whole number from 1");
  expect(await refusal("signing:rotate", "now")).toContain("Expected 0 arguments but got 1");
});

test("sweep deletes what has outlived its use, once, and leaves the rest", async () => {
  const { id: userId, username } = await makeOperatorsUser();
  const now = new Date();
  const [old, network] = [later(now, -31 * 86_400_000), { id: "loopback", kind: "local" } as const];
  const session = (end: Date) =>
    openSession({ id: userId }, { userAgent: "", network: "loopback", now: later(end, -SESSION_SECONDS * 1_000) });
  const kept = await session(later(now, 3_600_000));
  await session(now);
  for (const time of [old, old, now]) await createCode({ network, program: "", webPage: null }, { now: time });
  await db.fileDraft.create({ data: { id: username, userId, refreshedAt: old } });
  const nothing = {
    codes: 0,
    filePieces: 0,
    sessions: 0,
    challenges: 0,
    requests: 0,
    tokens: 0,
    oneTimeLinks: 0,
    claimLinks: 0,
    keyNames: 0,
    addresses: 0,
    mail: 0,
    sealing: expect.any(Number),
    accounts: 0,
    userSummaries: expect.any(Number),
    blocks: 0,
  };
  expect(await answer("sweep")).toEqual({ ...nothing, codes: 2, sessions: 1 });
  expect(await answer("sweep")).toEqual(nothing);
  expect(await db.session.findMany({ where: { userId } })).toMatchObject([{ id: kept }]);
  expect(await db.fileDraft.count({ where: { userId } })).toBe(0);
  expect(await refusal("sweep", "codes")).toContain("Expected 0 arguments but got 1");
});
