import { expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { endAllSessions, openSession, sessionUser } from "@/lib/accounts/session/sessions";
import { changePassword } from "@/lib/accounts/ways-in/change-password";
import { createUser } from "@/lib/accounts/ways-in/create";
import { createRecoveryCodes, hashRecoveryCode } from "@/lib/accounts/ways-in/recovery/codes";
import { importDocument } from "@/lib/files/import";
import { findKey } from "@/lib/keys/access";
import { acceptClaim } from "@/lib/keys/claims/accept";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { offerKey } from "@/lib/keys/offers";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { activityOf } from "@/lib/user-data/activity";
import { accountArchive } from "@/lib/user-data/archive";
import { deleteAccount } from "@/lib/user-data/delete";
import { removeToken } from "@/lib/user-data/revoke-token";
import { chunks, smallDocument } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/request";
import { unzipped } from "@/tests/support/unzip";
import { makeUser, makeUsers, newUsername, signedIn, type TestUser } from "@/tests/support/user";

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

const asViewer = (user: TestUser) => ({ ...user, role: "user" });

const unpacked = async (user: TestUser): Promise<Record<string, string>> =>
  Object.fromEntries(await unzipped(accountArchive(asViewer(user)), "utf8"));

test("has the account, every key with its data, and the files as they can be imported again", async () => {
  const user = await makeUser();
  for (const data of ["first", "second \ud83d\ude00"])
    await createKey(asViewer(user), { data, price: "1", name: data });
  const { token } = await createToken(user.id, { name: "Backup", access: "read", days: null });
  const times = { createdAt: new Date(0), usedAt: null };
  const secret = { credentialId: newId(), host: "localhost", publicKey: Buffer.from("key material"), counter: 0n };
  await db.passkey.create({
    data: { ...secret, ...times, id: newId(), userId: user.id, name: "Phone", transports: "internal" },
  });
  await db.emailAddress.create({ data: { userId: user.id, address: "alice@people.example", verifiedAt: new Date(0) } });
  const codes = await createRecoveryCodes(await signedIn(user), "", { network: newNetwork() });
  const link = { hash: newId(), createdAt: new Date(0), expiresAt: new Date(Date.now() + 60_000) };
  await db.recoveryLink.create({ data: { ...link, userId: user.id } });
  const document = JSON.stringify(smallDocument(user.username));
  await importDocument(user, chunks(document));
  const files = await unpacked(user);
  expect(Object.keys(files)).toEqual(["account.json", "keys.json", "files.json"]);
  const hashes = codes.map(hashRecoveryCode);
  for (const unwanted of [token, ...codes, ...hashes, link.hash, secret.credentialId])
    expect(files["account.json"]).not.toContain(unwanted);
  const account = JSON.parse(files["account.json"] ?? "");
  expect(account.passkeys).toEqual([{ name: "Phone", createdAt: "1970-01-01T00:00:00.000Z", usedAt: null }]);
  expect(account).toMatchObject({
    username: user.username,
    tokens: [{ name: "Backup", access: "read", state: "works" }],
    keys: 2,
    email: { address: "alice@people.example" },
    identities: [],
    programs: [],
    recovery: { codes: { left: 10 }, link: { createdAt: "1970-01-01T00:00:00.000Z" } },
  });
  // Two of one millisecond are in any order.
  const kept: { data: string }[] = JSON.parse(files["keys.json"] ?? "");
  expect(kept.map(({ data }) => data).sort()).toEqual(["first", "second \ud83d\ude00"]);
  expect(JSON.parse(files["files.json"] ?? "")).toEqual(JSON.parse(document));
  for (const text of Object.values(files)) expect(text).not.toContain(user.token);
});

test("has what was handed out and accepted, and no claim link", async () => {
  const [creator, other] = (await makeUsers(2)) as [TestUser, TestUser];
  const key = await createKey(asViewer(creator), { data: "a licence", price: "1", name: "Pro" });
  const row = await findKey(asViewer(creator), key.id);
  const wanted = { links: 1, most: 1, days: 30, openDays: 30, note: "order 1234" };
  const { links } = await createClaimLinks(asViewer(creator), row, { ...wanted, origin: "https://keys.example" });
  const secret = String(links[0]).split("#")[1] ?? "";
  await acceptClaim(asViewer(other), secret, newNetwork());
  await offerKey(asViewer(creator), row, other.username);
  const [giver, taker] = await Promise.all(
    [creator, other].map(async (user) => (await unpacked(user))["account.json"] ?? ""),
  );
  const offers = [{ key: key.id, to: other.username }];
  expect(JSON.parse(giver ?? "")).toMatchObject({
    claimLinks: [{ keyId: key.id, note: "order 1234", links: 1, claimed: 1, days: 30 }],
    claims: [],
    offers,
  });
  expect(JSON.parse(taker ?? "")).toMatchObject({ claimLinks: [], claims: [{ key: key.id }], offers });
  for (const text of [giver, taker]) expect(text).not.toContain(secret);
});

test("has no files where there are none, and an empty list of keys", async () => {
  const files = await unpacked(await makeUser());
  expect(Object.keys(files)).toEqual(["account.json", "keys.json"]);
  expect(JSON.parse(files["keys.json"] ?? "")).toEqual([]);
});
