import { expect, test } from "vitest";
import { sweepDeletions } from "@/lib/account/delete";
import { lossesOf } from "@/lib/account/losses";
import { MOST_SESSIONS, openSession, sessionsOf, sessionUser, sweepSessions } from "@/lib/auth/sessions";
import { db } from "@/lib/db/client";
import { deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { putFile } from "@/lib/files/put-file";
import { createKey } from "@/lib/keys/create";
import { linkedPrograms } from "@/lib/link/programs";
import { chunks, file, idOf, root, textOf, values } from "@/tests/support/documents";
import { entriesOf } from "@/tests/support/indexed";
import { rowsReadBy } from "@/tests/support/rows-read";
import { statementsOf } from "@/tests/support/statements";
import { makeUser, makeUsers } from "@/tests/support/user";

const from = { userAgent: "a browser", network: "203.0.113.1" };

test("a user has at most 100 sessions: one more signs the oldest out", async () => {
  const user = await makeUser();
  const opened: string[] = [];
  for (let n = 0; n < MOST_SESSIONS + 5; n++)
    opened.push((await openSession({ id: user.id }, from, new Date(Date.now() - 1_000_000 + n * 1_000))) ?? "");
  expect(await db.session.count({ where: { userId: user.id } })).toBe(MOST_SESSIONS);
  expect(await sessionsOf(user.id)).toHaveLength(MOST_SESSIONS);
  expect(await sessionUser(opened[4] ?? "")).toBeNull();
  expect((await sessionUser(opened[5] ?? ""))?.id).toBe(user.id);
});

test("expired sessions go 500 in one statement", async () => {
  const { id: userId } = await makeUser();
  const past = new Date(0);
  const rows = Array.from({ length: 1_100 }, (_, n) => ({
    id: `${userId} ${n}`,
    userId,
    createdAt: past,
    expiresAt: past,
    userAgent: "",
  }));
  for (let n = 0; n < rows.length; n += 550) await db.session.createMany({ data: rows.slice(n, n + 550) });
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
  const rest = {
    userId,
    tokenHash,
    status: "collected",
    createdAt: new Date(0),
    expiresAt: new Date(0),
    network: "n",
    program: "",
  };
  await db.linkCode.createMany({ data: links.map((link) => ({ ...rest, ...link, collectedAt: link.decidedAt })) });
  expect((await linkedPrograms(userId)).map(({ id }) => id)).toEqual(links.slice(0, 201).map(({ id }) => id));
});

test("an account whose keys many hold counts its losses to 20,000, and is deleted 2,000 at a time", async () => {
  const creator = await makeUser();
  const others = await makeUsers(2_100);
  const keys = await Promise.all(
    Array.from({ length: 10 }, () => createKey({ ...creator, role: "user" }, { data: "x", price: "1" })),
  );
  const now = new Date();
  for (const { id } of keys) {
    for (let n = 0; n < others.length; n += 500)
      await db.holder.createMany({
        data: others.slice(n, n + 500).map((other) => ({ keyId: id, userId: other.id, since: now, keyCreatedAt: now })),
      });
  }
  const losses = await lossesOf(creator.id);
  expect([losses.keys, losses.areMoreHolders]).toEqual([10, true]);
  expect(losses.holders).toBeGreaterThan(1_000);
  await db.user.update({ where: { id: creator.id }, data: { deletingAt: new Date(0), disabledAt: now } });
  const sent = await statementsOf(() => sweepDeletions());
  // 21,010 of them, and once more to find none.
  expect(sent.filter((sql) => sql.includes('DELETE FROM "Holder"')).length).toBeGreaterThanOrEqual(12);
  expect(await db.holder.count({ where: { keyId: { in: keys.map(({ id }) => id) } } })).toBe(0);
  expect(await db.user.count({ where: { id: creator.id } })).toBe(0);
});

test("a document in which thousands of entries have one name, or one path, is asked for some of them", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const ids = Array.from({ length: 4_000 }, (_, n) => idOf(n + 2));
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

test(
  "folders that are one in the case of their letters are deleted and moved together, each piece read " +
    "once and each folder looked for once",
  async () => {
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
    await importDocument(
      user,
      chunks(
        JSON.stringify([
          ...values(root(user.username, [idOf(2), idOf(3)])),
          ...around.flat(),
          ...within.flat(),
          ...twins.flat(),
        ]),
      ),
    );
    const chosen = Array.from({ length: 8 }, (_, n) => idOf(n + 1_000));
    const places = async () => {
      const entries = entriesOf(JSON.parse(await textOf(await exportDocument(user.id))));
      return new Set(entries.filter(([, name]) => /^folders/i.test(String(name))).map(([, , location]) => location));
    };
    const moving = await statementsOf(() => moveEntries(user, chosen, idOf(3), "keep"));
    expect(moving.length).toBeLessThan(200);
    expect(await places()).toEqual(new Set([`${home}/other`]));
    const deleting = await statementsOf(() => deleteEntries(user, chosen));
    expect(deleting.length).toBeLessThan(200);
    expect(await places()).toEqual(new Set());
  },
);
