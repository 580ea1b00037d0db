import { expect, test } from "vitest";
import { createToken } from "@/lib/accounts/access-tokens/create";
import { removeToken } from "@/lib/accounts/access-tokens/list";
import { createUser } from "@/lib/accounts/create";
import { endAllSessions, openSession, sessionUser } from "@/lib/accounts/sessions";
import { changePassword } from "@/lib/accounts/sign-in";
import { db } from "@/lib/platform/db/client";
import { activityOf } from "@/lib/user-data/activity";
import { deleteAccount } from "@/lib/user-data/delete";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername } from "@/tests/support/user";

const PASSWORD = "correct horse battery";
const DAY_MS = 24 * 60 * 60_000;
const from = (network = "198.51.100.7") => ({ userAgent: "curl/8.5.0", network });
const actions = async (userId: string) => (await activityOf(userId, { size: 50 })).events.map(({ action }) => action);

test("an account's activity has its sign-ins, passwords and tokens, newest first, and nobody else's", async () => {
  const [user, other] = [await createUser({ username: newUsername(), password: PASSWORD }), await makeUser()];
  const sessionId = String(await openSession(user, from()));
  await openSession(other, from());
  await changePassword(
    { ...user, sessionId },
    { current: PASSWORD, next: "another horse battery", alsoToken: true },
    { network: newNetwork() },
  );
  const { id } = await createToken(user.id, { name: "Tool", access: "read", days: null });
  await removeToken(user.id, { id });
  await endAllSessions(user.username);
  expect(await sessionUser(sessionId)).toBeNull();
  const { events, next } = await activityOf(user.id, { size: 50 });
  expect(next).toBeNull();
  expect(events.map(({ action, by }) => [action, by])).toEqual([
    ["user.signout", "operator"],
    ["token.revoke", null],
    ["token.create", null],
    ["token.rotate", null],
    ["user.password", null],
    ["user.confirm", null],
    ["user.signin", null],
    ["user.create", null],
  ]);
  expect(events[6]?.detail).toEqual({ network: "198.51.100.7", program: "curl/8.5.0" });
  expect(await actions(other.id)).toEqual(["user.signin"]);
});

test("it comes in pages that lose nothing, also where most events are about keys", async () => {
  const user = await makeUser();
  const now = new Date();
  const rows = Array.from({ length: 5_000 }, (_, n) => ({
    at: now,
    action: n % 100 === 0 ? "token.create" : "key.update",
    subjectId: `key ${n}`,
    actorId: user.id,
    detail: JSON.stringify({ name: `${n}` }),
  }));
  await db.auditEvent.createMany({ data: rows });
  const names: string[] = [];
  let pages = 0;
  for (let before: number | undefined; ; pages++) {
    const { events, next } = await activityOf(user.id, { size: 15, before });
    expect(events.length).toBeLessThanOrEqual(15);
    names.push(...events.map(({ detail }) => String(detail.name)));
    if (next === null) break;
    before = next;
  }
  expect(names).toEqual(Array.from({ length: 50 }, (_, n) => `${(49 - n) * 100}`));
  expect(pages).toBeGreaterThanOrEqual(3);
});

test("it ends after 90 days, when networks of sign-ins are forgotten; with the account, they go at once", async () => {
  const user = await createUser({ username: newUsername(), password: PASSWORD });
  await db.auditEvent.deleteMany({ where: { subjectId: user.id } });
  const old = new Date(Date.now() - 91 * DAY_MS);
  await openSession(user, { ...from("203.0.113.7"), now: old });
  expect(await actions(user.id)).toEqual([]);
  const sessionId = String(await openSession(user, from()));
  const signIns = { subjectId: user.id, action: "user.signin" };
  expect(await db.auditEvent.count({ where: signIns })).toBe(1);
  const row = { ...signIns, at: new Date(), actorId: user.id, detail: "{}" };
  await db.auditEvent.createMany({ data: Array.from({ length: 600 }, () => row) });
  await openSession(user, from());
  expect(await db.auditEvent.count({ where: signIns })).toBe(500);
  await deleteAccount(
    { ...user, sessionId },
    { username: user.username, password: PASSWORD },
    { network: newNetwork() },
  );
  expect(await db.auditEvent.count({ where: signIns })).toBe(0);
});
