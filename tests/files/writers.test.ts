import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { addPieces, beginDraft } from "@/lib/files/change/draft";
import { publishVersion } from "@/lib/files/change/publish";
import { createFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { totalsOf } from "@/lib/files/pieces/piece";
import { openDocument, plainText } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { sweepFiles } from "@/lib/files/sweep";
import { RESUMABLE_MS } from "@/lib/files/upload";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { bundled } from "@/scripts/bundled.mjs";
import { runScript } from "@/tests/support/admin";
import { chunks, smallDocument, textOf } from "@/tests/support/documents";
import { contentBytes, entriesOf, expectIndexed, expectSwept } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";
import { entriesIn, put } from "./stored";

const COUNT = sized(10, 20);

test("concurrent writers lose no changes, in one process and in two", async () => {
  const user = await makeUser();
  const others = inject("database").kind === "postgresql" ? ["b", "c"] : [];
  const elsewhere = others.map((prefix) =>
    runScript("tests/files/write-files.ts", ["some", user.id, user.username, String(COUNT), prefix], process.env),
  );
  const here = Array.from({ length: COUNT }, (_, n) => put(user, `a${n}.txt`));
  await Promise.all([...here, ...elsewhere]);

  const [root, ...files] = await entriesIn(user);
  const expected = ["a", ...others].flatMap((prefix) => Array.from({ length: COUNT }, (_, n) => `${prefix}${n}.txt`));
  expect(files.map((file) => file[3]).sort()).toEqual(expected.sort());
  expect([...((root?.[3] ?? []) as string[])].sort()).toEqual(files.map((file) => file[13]).sort());
  await expectIndexed(user.id);
});

test("a folder that is moved, deleted and brought back while files come in leaves none without a folder", async () => {
  const user = await makeUser();
  const [one, two] = [
    await createFolder(user, undefined, { name: "one" }),
    await createFolder(user, undefined, { name: "two" }),
  ];
  const puts = Array.from({ length: COUNT }, (_, n) =>
    put(user, `${n}.txt`, { folder: one.id }).catch((error) => {
      // While the folder is deleted.
      expect(error).toMatchObject({ status: 404 });
      return undefined;
    }),
  );
  const changes = async () => {
    await renameEntry(user, one.id, { name: "uno" });
    await moveEntries(user, [one.id], { to: two.id, onExisting: "refuse" });
    await restoreEntries(user, await deleteEntries(user, [two.id]));
  };
  const [created] = await Promise.all([Promise.all(puts), changes()]);

  const entries = await entriesIn(user);
  const folders = entries.filter(([type]) => type === ".folder");
  const lists = new Map(folders.map((folder) => [`${folder[2]}/${folder[1]}`, folder[3] as string[]]));
  for (const entry of entries.slice(1)) expect(lists.get(String(entry[2]))).toContain(entry[13]);
  expect(entries.length - folders.length).toBe(created.filter((file) => file !== undefined).length);
  expect([...lists.values()].flat().length).toBe(entries.length - 1);
  await expectIndexed(user.id);
});

const ROUNDS = sized(1, 20);
const BYTES = { imports: sized(2_000_000, 20_000_000), uploads: sized(1_500_000, 6_000_000) };
type What = keyof typeof BYTES;

async function writer({ id, username }: TestUser, what: What, count: number) {
  const script = await bundled("tests/files/write-files.ts");
  const child = spawn(process.execPath, [script, what, id, username, String(BYTES[what])], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let began = performance.now();
  let stored = -1;
  for await (const _ of createInterface(child.stdout)) {
    if (++stored === 0) began = performance.now();
    if (stored === count) break;
  }
  return { child, took: (performance.now() - began) / Math.max(1, stored) };
}

function expectIntact(document: unknown[], old: unknown[]): void {
  const entries = entriesOf(document);
  const before = new Set(entriesOf(old).map((entry) => entry[13]));
  for (const [type, , location, data, , , , , , , , , , id] of entries.filter((entry) => !before.has(entry[13]))) {
    if (type === ".bin") expect(contentBytes(data).bytes.length).toBe(BYTES.uploads);
    const listing = entries.filter((entry) => Array.isArray(entry[3]) && entry[3].includes(id));
    expect(listing.map((entry) => `${entry[2]}/${entry[1]}`)).toEqual([location]);
  }
}

test.each(["imports", "uploads"] as const)(
  "a process that is killed during %s leaves the old document or a new one, and the sweep removes the rest",
  { timeout: 1_800_000 },
  async (what) => {
    for (let round = 0; round < ROUNDS; round++) {
      const user = await makeUser();
      const old = JSON.stringify(smallDocument(user.username));
      await importDocument(user, chunks(old));

      // During the second write, the third and the first in turn.
      const count = (round + 1) % 3;
      const { child, took } = await writer(user, what, count);
      await sleep(Math.random() * (count === 0 ? 500 : took));
      child.kill("SIGKILL");
      await once(child, "exit");

      const document = await openDocument(user.id);
      expect(document.version).toBeGreaterThan(count);
      const text = await textOf(plainText(document));
      if (document.version === 1) expect(text).toBe(old);
      else if (what === "imports")
        expect([JSON.parse(text).length, text.length > BYTES.imports * 0.95]).toEqual([4 * 14, true]);
      else expectIntact(JSON.parse(text), JSON.parse(old));
      await expectIndexed(user.id);

      await sweepFiles(new Date(Date.now() + RESUMABLE_MS + 3_600_000));
      await expectSwept(user.id);
      expect(await textOf(plainText(await openDocument(user.id)))).toBe(text);
    }
  },
);

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

test("a replaced version is readable for six hours, then goes with all that only it used", async () => {
  const user = await makeUser();
  const texts = ["a", "b", "c"].map((letter) => JSON.stringify(smallDocument(user.username, letter.repeat(400_000))));
  const opened = [];
  for (const text of texts) {
    await importDocument(user, chunks(text));
    opened.push(await openDocument(user.id));
  }

  await sweepFiles(later(6));
  for (const [index, document] of opened.entries()) expect(await textOf(plainText(document))).toBe(texts[index]);

  for (const hours of [6.5, 1_000]) {
    await sweepFiles(later(hours));
    const left = await db.filePiece.findMany({ where: { userId: user.id } });
    expect(left.every(({ bornVersion, retiredVersion }) => bornVersion === 3 && retiredVersion === null)).toBe(true);
    expect(await db.fileContent.count({ where: { piece: { userId: user.id } } })).toBe(left.length);
    const versions = await db.fileVersion.findMany({ where: { userId: user.id }, select: { version: true } });
    expect(versions).toEqual([{ version: 3 }]);
    expect(await textOf(plainText(await openDocument(user.id)))).toBe(texts[2]);
  }
  for (const document of opened.slice(0, 1))
    await expect(textOf(plainText(document))).rejects.toThrow(/was removed to/);
});

test("a draft whose writer has died is removed after an hour; one still being written stays", async () => {
  const user = await makeUser();
  const facts = { position: 1n, entries: 1, plainLength: 1, deflatedLength: 1, crc: 1n };
  const piece = () => ({ id: newId(), ...facts, content: Buffer.from("x") });
  const [abandoned, busy] = [await beginDraft(user.id), await beginDraft(user.id)];
  await addPieces(abandoned, user.id, [piece(), piece()]);
  await addPieces(busy, user.id, [piece()]);
  await db.fileDraft.update({ where: { id: abandoned }, data: { refreshedAt: later(-1.1) } });

  await sweepFiles();
  const where = { userId: user.id };
  expect(await db.filePiece.findMany({ where, select: { draftId: true } })).toEqual([{ draftId: busy }]);
  expect(await db.fileDraft.findMany({ where, select: { id: true } })).toEqual([{ id: busy }]);
  const draftLost = { status: 409, code: "draft_lost" };
  await expect(addPieces(abandoned, user.id, [piece()])).rejects.toMatchObject(draftLost);
  const version = { totals: totalsOf([]), replaces: "all", indexSpace: "x", checkQuotas: () => {} } as const;
  const publishing = publishVersion({ userId: user.id, drafts: [abandoned], ...version }, new Date());
  await expect(publishing).rejects.toMatchObject(draftLost);
  await addPieces(busy, user.id, [piece()]);
});
