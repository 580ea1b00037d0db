import { expect, test } from "vitest";
import { setRole } from "@/lib/accounts/identity/role";
import { recordSeen, writeSeen } from "@/lib/accounts/identity/seen";
import { KIND } from "@/lib/accounts/identity/user";
import { openSession } from "@/lib/accounts/session/sessions";
import { setPassword } from "@/lib/accounts/ways-in/change-password";
import { createUser } from "@/lib/accounts/ways-in/create";
import { setDisabled } from "@/lib/accounts/ways-in/disable";
import { createFolder } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { deleteKey } from "@/lib/keys/delete";
import { acceptOffer, offerAllKeys, offerKey } from "@/lib/keys/offers";
import { updateKey } from "@/lib/keys/update";
import { countUsers, sweepSummaries, usersCountedAt } from "@/lib/operator/users/summaries";
import { db } from "@/lib/platform/db/client";
import { later } from "@/lib/platform/time";
import { deleteAccountAs } from "@/lib/user-data/delete";
import { chunks, smallDocument } from "../support/documents";
import { makeUser, makeUsers, newUsername, type TestUser } from "../support/user";

const asCaller = (user: { id: string; username: string }) => ({ ...user, role: "user" });
const summary = (id: string) => db.userSummary.findUniqueOrThrow({ where: { userId: id } });
const row = async ({ id }: { id: string }) => {
  const { keys, keyBytes, fileBytes, entries, bytes } = await summary(id);
  return { keys, keyBytes: Number(keyBytes), fileBytes: Number(fileBytes), entries, bytes: Number(bytes) };
};
const kindOf = async (id: string) => (await summary(id)).kind;
const seenAt = async (id: string) => (await summary(id)).seenAt;
const days = (count: number) => count * 24 * 3600_000;

test("every user gets a row, and what is stored is counted, also after days without a sweep", async () => {
  const [user, other] = (await makeUsers(2)) as [TestUser, TestUser];
  const key = await createKey(asCaller(user), { data: "12345", price: "1" });
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username))));
  await countUsers();
  const files = await filesSummary(user.id);
  const filesOf = ({ entries, bytes }: typeof files) => ({ entries, fileBytes: bytes });
  expect(await row(user)).toEqual({ keys: 1, keyBytes: 5, ...filesOf(files), bytes: 5 + files.bytes });
  expect(await row(other)).toEqual({ keys: 0, keyBytes: 0, fileBytes: 0, entries: 0, bytes: 0 });

  const another = await createKey(asCaller(user), { data: "1", price: "1" });
  const admin = { ...(await makeUser({ role: "admin" })), role: "admin" };
  await updateKey(admin, await findKey(admin, key.id), { field: "data", value: "1234567" });
  await deleteKey(admin, await findKey(admin, another.id));
  await createFolder(user, undefined, { name: "Another" });
  await countUsers();
  const more = await filesSummary(user.id);
  expect(more.entries).toBe(files.entries + 1);
  expect(await row(user)).toEqual({ keys: 1, keyBytes: 7, ...filesOf(more), bytes: 7 + more.bytes });
  expect(await countUsers()).toBe(0);
  expect(await row(user)).toEqual({ keys: 1, keyBytes: 7, ...filesOf(more), bytes: 7 + more.bytes });
});

test("users who were written beside the service get a row", async () => {
  const users = await makeUsers(300);
  await countUsers();
  expect(await db.userSummary.count({ where: { userId: { in: users.map(({ id }) => id) } } })).toBe(300);
  expect(await countUsers()).toBe(0);
});

test("a sweep counts unless somebody did lately, or counting takes long; lists know since when", async () => {
  const now = new Date();
  await countUsers(now);
  const [user] = (await makeUsers(1)) as [TestUser];
  expect(await sweepSummaries(later(now, 3 * 60_000))).toBe(0);
  expect(await usersCountedAt()).toEqual(now);
  const name = "users counted";
  await db.measurement.updateMany({ where: { name }, data: { value: 20_000 } });
  expect(await sweepSummaries(later(now, 6 * 60_000))).toBe(0);
  const next = later(now, 7 * 60_000);
  expect(await sweepSummaries(next)).toBeGreaterThan(0);
  expect(await usersCountedAt()).toEqual(next);
  expect(await db.measurement.count({ where: { name } })).toBe(1);
  expect(await row(user)).toMatchObject({ keys: 0 });
});

test("a key that is handed over counts for its new creator, also if it is deleted before the next sweep", async () => {
  const [giver, taker] = (await makeUsers(2)) as [TestUser, TestUser];
  const makeKey = (data: string) => createKey(asCaller(giver), { data, price: "1" });
  const [first, second, third] = [await makeKey("12345"), await makeKey("1234567"), await makeKey("1")];
  const kept = await createKey(asCaller(taker), { data: "12", price: "1" });
  await countUsers();
  expect(await row(giver)).toMatchObject({ keys: 3, keyBytes: 13, bytes: 13 });
  expect(await row(taker)).toMatchObject({ keys: 1, keyBytes: 2, bytes: 2 });

  await offerKey(asCaller(giver), await findKey(asCaller(giver), first.id), taker.username);
  await countUsers();
  expect(await row(giver)).toMatchObject({ keys: 3, keyBytes: 13 });
  await acceptOffer(asCaller(taker), first.id);
  await countUsers();
  expect(await row(giver)).toMatchObject({ keys: 2, keyBytes: 8, bytes: 8 });
  expect(await row(taker)).toMatchObject({ keys: 2, keyBytes: 7, bytes: 7 });

  // The events that tell of them are swept together; one key is gone by then.
  await offerAllKeys(asCaller(giver), taker.username);
  for (const { id } of [second, third]) await acceptOffer(asCaller(taker), id);
  await deleteKey(asCaller(taker), await findKey(asCaller(taker), third.id));
  await deleteKey(asCaller(taker), await findKey(asCaller(taker), kept.id));
  await countUsers();
  expect(await row(giver)).toMatchObject({ keys: 0, keyBytes: 0, bytes: 0 });
  expect(await row(taker)).toMatchObject({ keys: 2, keyBytes: 12, bytes: 12 });
});

test("several sweeps at once, while users create keys and are deleted, count right in the end", async () => {
  const users = await makeUsers(12);
  const leaving = await makeUsers(3);
  await Promise.all([
    ...users.map((user) => createKey(asCaller(user), { data: "123", price: "1" })),
    countUsers(),
    countUsers(),
    ...leaving.map(({ username }) => deleteAccountAs("operator", username, { confirmation: username })),
    ...users.map((user) => createKey(asCaller(user), { data: "12", price: "1" })),
    countUsers(),
  ]);
  await countUsers();
  for (const user of users) expect(await row(user)).toMatchObject({ keys: 2, keyBytes: 5 });
  expect(await db.userSummary.count({ where: { userId: { in: leaving.map(({ id }) => id) } } })).toBe(0);
});

test("role, access and password are in the row with their change, and a new user has one", async () => {
  const { id, username } = await createUser({ username: newUsername() });
  expect(await kindOf(id)).toBe(KIND.passwordless);
  await setRole(username, "admin");
  expect(await kindOf(id)).toBe(KIND.passwordless + KIND.admin);
  await setPassword(username, "correct horse battery");
  await setDisabled(username, { disabled: true });
  expect(await kindOf(id)).toBe(KIND.admin + KIND.disabled);
  await setDisabled(username, { disabled: false });
  await setRole(username, "user");
  expect(await kindOf(id)).toBe(0);
});

test("a user is seen by signing in, and by using a token or a session; never in the past again", async () => {
  const user = await makeUser({ createdAt: new Date(Date.now() - days(9)) });
  const yesterday = new Date(Date.now() - days(1));
  await openSession(user, { userAgent: "", network: "198.51.100.7", now: yesterday });
  await countUsers();
  expect(await seenAt(user.id)).toEqual(yesterday);
  recordSeen(user.id);
  await writeSeen();
  const seen = await seenAt(user.id);
  expect(seen.getTime()).toBeGreaterThan(Date.now() - 60_000);
  recordSeen(user.id);
  await writeSeen();
  await countUsers();
  expect(await seenAt(user.id)).toEqual(seen);
});
