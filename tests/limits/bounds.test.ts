import { expect, test } from "vitest";
import { usernameKey } from "@/lib/accounts/identity/user";
import { MAX_SESSIONS, openSession, sessionsOf, sessionUser, sweepSessions } from "@/lib/accounts/session/sessions";
import { hashSecret, newSecret } from "@/lib/accounts/ways-in/one-time-link";
import { checkPassword } from "@/lib/accounts/ways-in/passwords";
import { putFile } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { exportDocument } from "@/lib/files/read";
import { linkedPrograms } from "@/lib/link/list";
import { db, Prisma } from "@/lib/platform/db/client";
import { lossesOf, sweepDeletions } from "@/lib/user-data/delete";
import { makeKeys } from "@/tests/keys/keys";
import { chunks, file, idOf, root, textOf, values } from "@/tests/support/documents";
import { entriesOf } from "@/tests/support/indexed";
import { rowsReadBy, statementsOf } from "@/tests/support/statements";
import { makeUser, makeUsers } from "@/tests/support/user";

const from = { userAgent: "a browser", network: "203.0.113.1" };

test("a user has at most 100 sessions: one more signs the oldest out", async () => {
  const { id: userId } = await makeUser();
  const expiresAt = new Date(Date.now() + 1_000_000);
  const before = Array.from({ length: MAX_SESSIONS }, (_, n) => ({ id: `${userId} ${n}`, createdAt: new Date(n) }));
  await db.session.createMany({ data: before.map((one) => ({ ...one, userId, expiresAt, userAgent: "" })) });
  const opened = [];
  for (let n = 0; n < 5; n++)
    opened.push(await openSession({ id: userId }, { ...from, now: new Date(Date.now() + n * 1_000) }));
  const ids = (await db.session.findMany({ where: { userId } })).map(({ id }) => id);
  expect(ids).toHaveLength(MAX_SESSIONS);
  expect(before.filter(({ id }) => !ids.includes(id))).toEqual(before.slice(0, 5));
  expect(await sessionsOf(userId)).toHaveLength(MAX_SESSIONS);
  for (const one of opened) expect((await sessionUser(one ?? ""))?.id).toBe(userId);
});

test("expired sessions go 500 in one statement", async () => {
  const { id: userId } = await makeUser();
  const past = new Date(0);
  const rest = { userId, createdAt: past, expiresAt: past, userAgent: "" };
  await db.session.createMany({ data: Array.from({ length: 1_100 }, (_, n) => ({ ...rest, id: `${userId} ${n}` })) });
  const sent = await statementsOf(() => sweepSessions());
  expect(
    sent.filter((sql) => /^DELETE FROM \S*"?Session/.test(sql.replaceAll("`", '"'))).length,
  ).toBeGreaterThanOrEqual(3);
  expect(await db.session.count({ where: { userId } })).toBe(0);
});

test("of a user's linked programs the latest 200 are looked up, and one more", async () => {
  const { id: userId } = await makeUser();
  const { tokenHash } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const now = Date.now();
  const links = Array.from({ length: 210 }, (_, n) => ({ id: `${userId} ${n}`, decidedAt: new Date(now - n * 1_000) }));
  const past = { createdAt: new Date(0), expiresAt: new Date(0) };
  const rest = { ...past, userId, tokenHash, status: "collected", network: "n", program: "" };
  await db.linkCode.createMany({ data: links.map((link) => ({ ...rest, ...link, collectedAt: link.decidedAt })) });
  expect((await linkedPrograms(userId)).map(({ id }) => id)).toEqual(links.slice(0, 201).map(({ id }) => id));
});

test("an account whose keys many hold counts its losses to 20,000, and is deleted 2,000 at a time", async () => {
  const creator = await makeUser();
  const now = new Date();
  const others = (await makeUsers(300)).map(({ id }) => id);
  await makeKeys(creator, creator, { count: 70 });
  // A statement of all of them can take longer than the service lets one take.
  for (let n = 0; n < others.length; n += 20) {
    const holders = Prisma.sql`SELECT k."id", u."id", k."createdAt", k."createdAt" FROM "Key" k, "User" u
      WHERE k."creatorId" = ${creator.id} AND u."id" IN (${Prisma.join(others.slice(n, n + 20))})`;
    await db.$executeRaw`INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt") ${holders}`;
  }
  const losses = await lossesOf(creator.id);
  expect([losses.keys, losses.areMoreHolders]).toEqual([70, true]);
  expect(losses.holders).toBeGreaterThan(200);
  await db.user.update({ where: { id: creator.id }, data: { deletingAt: new Date(0), disabledAt: now } });
  const sent = await statementsOf(() => sweepDeletions());
  // 21,070 of them, and once more to find none.
  expect(sent.filter((sql) => sql.includes('DELETE FROM "Holder"')).length).toBeGreaterThanOrEqual(12);
  expect(await db.holder.count({ where: { userId: { in: others } } })).toBe(0);
  expect(await db.user.count({ where: { id: creator.id } })).toBe(0);
});

test("a document in which thousands of entries have one name, or one path, is asked for some of them", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const ids = Array.from({ length: 2_000 }, (_, n) => idOf(n + 2));
  const entries = ids.flatMap((id, n) =>
    values(
      n % 2 ? file(user.username, n + 2, "", "same") : { type: ".folder", name: "twin", location: home, data: [], id },
    ),
  );
  const inside = values({ ...file(user.username, 5_000, ""), location: `${home}/twin` });
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username, ids)), ...entries, ...inside])));
  const naming = await rowsReadBy(() =>
    putFile(user, undefined, { name: "same.txt", bytes: Buffer.from("x"), onExisting: "keep" }),
  );
  expect(naming.rows).toBeLessThan(1_000);
  const opening = await rowsReadBy(() =>
    listFolder(user.id, { folderId: idOf(2), sort: "name", descending: false, limit: 10 }),
  );
  expect(opening.rows).toBeLessThan(100);
});

test("folders that are one in the case of their letters go together, each piece and folder read once", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const inCase = (n: number, word: string) =>
    [...word].map((letter, at) => ((n >> at) & 1 ? letter.toUpperCase() : letter)).join("");
  const folder = (id: number, name: string, location: string) =>
    values({ type: ".folder", name, location, data: [], id: idOf(id) });
  const twins = Array.from({ length: 640 }, (_, n) =>
    folder(n + 1_000, inCase(n >> 3, "folders"), `${home}/${inCase(n >> 3, "deeper")}/${n & 7}`),
  );
  const around = ["deeper", "other"].map((name, n) => folder(n + 2, name, home));
  const within = Array.from({ length: 8 }, (_, n) => folder(n + 10, `${n}`, `${home}/deeper`));
  const document = [...values(root(user.username, [idOf(2), idOf(3)])), ...[around, within, twins].flat(2)];
  await importDocument(user, chunks(JSON.stringify(document)));
  const chosen = Array.from({ length: 8 }, (_, n) => idOf(n + 1_000));
  const places = async () => {
    const entries = entriesOf(JSON.parse(await textOf(await exportDocument(user.id))));
    return new Set(entries.filter(([, name]) => /^folders/i.test(String(name))).map(([, , location]) => location));
  };
  expect(
    (await statementsOf(() => moveEntries(user, chosen, { to: idOf(3), onExisting: "keep" }))).length,
  ).toBeLessThan(200);
  expect(await places()).toEqual(new Set([`${home}/other`]));
  expect((await statementsOf(() => deleteEntries(user, chosen))).length).toBeLessThan(200);
  expect(await places()).toEqual(new Set());
});

const LONG = "A".repeat(60_000);

test("a text longer than any secret of a link is refused before it is hashed", () => {
  expect(hashSecret(newSecret())).toMatch(/^[0-9a-f]{64}$/);
  expect(() => hashSecret(`${newSecret()}A`)).toThrow(expect.objectContaining({ status: 404, code: "bad_link" }));
  expect(() => hashSecret(LONG)).toThrow(expect.objectContaining({ code: "bad_link" }));
});

test("of a name, no more is read than twice the longest", () => {
  expect(usernameKey("Alice")).toBe("alice");
  expect(usernameKey(LONG)).toBe("a".repeat(40));
});

test("a password longer than any is refused", async () => {
  for (const password of [LONG, "😀".repeat(201)])
    await expect(checkPassword(password)).rejects.toMatchObject({ status: 400, field: "password" });
  await checkPassword("😀".repeat(200));
});
