import { beforeAll, describe, expect, test } from "vitest";
import { createFolder, openFolder, putFile } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { MAX_NAMED } from "@/lib/files/errors";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { exportDocument, readFile } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { beginUpload } from "@/lib/files/upload";
import { db } from "@/lib/platform/db/client";
import { chunks, file, idOf, root, smallDocument, values, wildEntry } from "@/tests/support/documents";
import { expectIndexed, expectSwept } from "@/tests/support/indexed";
import { makeUser, type TestUser } from "@/tests/support/user";
import { documentOf } from "./stored";

const HOME = "origin/(c) users/u";
const good = JSON.stringify(smallDocument("u"));
const change = (position: number, value: unknown) => JSON.stringify(smallDocument("u").with(position, value));
const raw = (position: number, text: string) => change(position, "RAW").replace('"RAW"', text);
const withFiles = (...files: Parameters<typeof values>[0][]) => JSON.stringify([root("u"), ...files].flatMap(values));

type Refusals = Record<string, [text: string | Uint8Array, sentence: RegExp]>;
const ofRoot = (sentence: string) => new RegExp(`root folder cannot be imported. Entry 1, ${sentence}`);

const documents: Refusals = {
  nothing: ["", /not a JSON array: it is empty/],
  "an object": ["{}", /not a JSON array: it does not begin with \[/],
  "two byte order marks": [`\ufeff\ufeff${good}`, /does not begin with \[/],
  "half a character of UTF-16": [Buffer.from(`\ufeff${good}`, "utf16le").subarray(0, -1), /UTF-16.*encoding UTF-8/],
  "UTF-16 with half of a pair": [Buffer.from(`\ufeff["\ud83d"]`, "utf16le"), /UTF-16.*encoding UTF-8/],
  "a byte order mark alone": ["\ufeff", /it is empty/],
  "an empty array": ["[]", /document is empty/],
  "a cut document": [good.slice(0, -1), /ends too early, after \d+ bytes \(in entry 5, type\)/],
  "a document cut within an entry": [good.slice(0, 300), /ends too early.*in entry \d/],
  "more after the end": [`${good} x`, /something wrong at byte/],
  "a comma before the end": [`${good.slice(0, -1)},]`, /something wrong at byte/],
  "too deep a nest": [raw(18, `${"[".repeat(200)}${"]".repeat(200)}`), /nests deeper than 100 levels/],
  "bytes that are no UTF-8": [Buffer.from([0x5b, 0x22, 0xc0, 0xaf, 0x22, 0x5d]), /byte 3, which is not UTF-8/],
  "a letter of Latin-1": [Buffer.from('["caf\u00e9"]', "latin1"), /byte 7, which is not UTF-8.*encoding UTF-8/],

  "13 values": [JSON.stringify(values(root("u")).slice(0, 13)), /Entry 1 has only 13 of the 14 values/],
  "one value too many": [JSON.stringify([...smallDocument("u"), ".txt"]), /Entry 5 has only 1 of the 14 values/],
  "an id that comes twice": [change(41, idOf(2)), /Entry 3, id: an earlier entry already has the id 0+2/],

  "a file where the root should be": [change(0, ".txt"), /No entry is the user's root folder/],
  "a root in another place": [change(2, "origin"), /No entry is the user's root folder: one of the type .folder in/],
  "a root without a name": [change(1, ""), ofRoot("name: a folder's name must not be empty")],
  "a root whose list holds numbers": [change(3, [1, 2]), ofRoot("data: a folder's data must be an array of ids")],
  "a root with an id that is none": [change(13, "a b"), ofRoot("id: an id must have 1 to 64 ASCII characters")],
};

/** The others can be imported without it. */
const entries: Refusals = {
  "a type that is no string": [change(14, 7), /Entry 2, type: this must be of the kind string, not number/],
  "a name that is no string": [change(15, null), /Entry 2, name: this must be of the kind string/],
  "a location that is no string": [change(30, []), /Entry 3, location: this must be of the kind string/],
  "a folder whose data is text": [change(17, "text"), /Entry 2, data: a folder's data must be an array of ids/],
  "a folder whose list holds numbers": [change(17, [1, 2]), /Entry 2, data: a folder's data must be an array of ids/],
  "a folder whose list in a string is cut": [change(17, `["${idOf(3)}"`), /Entry 2, data: a folder's data must be/],
  "a folder whose list in a string goes on": [change(17, "[]]"), /Entry 2, data: a folder's data must be/],
  "a time that is an array": [change(22, []), /Entry 2, created: this must be of the kind number or string or null/],
  "permissions that are a number": [change(26, 1), /Entry 2, permissions/],
  "a name of 64 KB": [change(15, "n".repeat(70_000)), /Entry 2, name: this is longer than 65536 bytes/],
  "a folder with a slash in its name": [change(15, "a/b"), /Entry 2, name: a folder's name must .* hold a slash/],
  "a location of another user": [
    change(44, "origin/(c) users/eve"),
    /Entry 4, location: ".*eve" is outside the document's own root, ".*\/u"/,
  ],
  "a location that only begins like the root": [change(44, `${HOME}x`), /Entry 4, location: .* is outside/],
  "a location above the root": [change(44, "origin/(c) users"), /Entry 4, location: .* is outside/],
  "a parent that is missing": [change(30, `${HOME}/no`), /Entry 3, location: the document has no folder ".*no"/],
  "a parent that is a file": [
    withFiles(file("u", 3, "", "f"), { ...file("u", 4, ""), location: `${HOME}/f` }),
    /Entry 3, location: the document has no folder/,
  ],
  "an id with a blank": [change(27, "a b"), /Entry 2, id: .* 1 to 64 .*, without spaces, quotes or backslashes/],
  "an id that is a number": [change(27, 2), /Entry 2, id: this must be of the kind string, not number/],
};

async function withDocument(): Promise<{ user: TestUser; before: string }> {
  const user = await makeUser();
  const before = JSON.stringify(smallDocument(user.username, "before"));
  await importDocument(user, chunks(before));
  return { user, before };
}

describe("what is no document is refused with a sentence that says where, and the former document stays", () => {
  let shared: ReturnType<typeof withDocument>;
  beforeAll(() => {
    shared = withDocument();
  });

  test.for([
    ...Object.entries(documents).map(([what, row]) => [what, ...row, "invalid_document"] as const),
    ...Object.entries(entries).map(([what, row]) => [what, ...row, "entries_refused"] as const),
  ])("%s", async ([, text, sentence, code]) => {
    const { user, before } = await shared;
    for (const size of [41, 65_536])
      await expect(importDocument(user, chunks(text, size))).rejects.toMatchObject({
        status: 400,
        code,
        message: expect.stringMatching(sentence),
      });
    expect(await documentOf(user)).toBe(before);
    expect(await db.fileDraft.count({ where: { userId: user.id } })).toBe(0);
    expect(await db.filePiece.count({ where: { userId: user.id, bornVersion: null } })).toBe(0);
  });

  test("what ends with an error, which the caller gets", async () => {
    const { user, before } = await withDocument();
    async function* broken() {
      yield Buffer.from(before.slice(0, 200));
      throw new Error("the upload broke off");
    }
    await expect(importDocument(user, broken())).rejects.toThrow("the upload broke off");
    expect(await documentOf(user)).toBe(before);
  });
});

test("what cannot be imported changes nothing, unless just as many are left out as a person has seen", async () => {
  const { user, before } = await withDocument();
  const document = smallDocument(user.username).with(44, "/kit").with(30, `origin/(c) users/${user.username}/gone`);
  const leave = (leaving: number) => importDocument(user, chunks(JSON.stringify(document)), { leaving });
  for (const other of [0, 1, 3, 4])
    await expect(leave(other)).rejects.toMatchObject({ code: "entries_refused", report: { total: 4, taken: 2 } });
  expect(await documentOf(user)).toBe(before);
  expect(await leave(2)).toMatchObject({ entries: 2, total: 4, taken: 2, reasons: [{ count: 1 }, { count: 1 }] });
});

test("what cannot be imported is named a thousand times, and counted further", async () => {
  const user = await makeUser();
  const missing = `origin/(c) users/${user.username}/gone`;
  const many = Array.from({ length: 1_500 }, (_, n) =>
    wildEntry(".txt", `${n}`, n % 2 ? "/kit" : missing, "", `a${n}`),
  );
  const document = [...smallDocument(user.username), ...many.flat()];
  const imported = await importDocument(user, chunks(JSON.stringify(document)), { leaving: "any" });
  expect(imported.refused.length).toBe(MAX_NAMED);
  expect([imported.taken, imported.total, imported.reasons.map(({ count }) => count)]).toEqual([4, 1_504, [750, 750]]);
});

test("what cannot be imported is written nowhere, however large it is and wherever its fault stands", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const large = (at: number, wrong: unknown) =>
    wildEntry(".txt", `large ${at}`, home, "x".repeat(900_000), `large-${at}`).with(at, wrong);
  const document = smallDocument(user.username);
  const others = [5, 9, 12, 13].flatMap((at) => large(at, { wrong: 1 }));
  const last = [...large(2, `${home}/gone`), ...large(9, []).with(13, "last")];
  const text = JSON.stringify([...others, ...document, ...last]);
  const imported = await importDocument(user, chunks(text, 7_001), { leaving: "any" });
  expect([imported.taken, imported.total]).toEqual([4, 10]);
  expect(JSON.parse(await documentOf(user))).toEqual(document);
  await expectSwept(user.id);
  await expectIndexed(user.id);
});

const small = { name: "a.txt", bytes: Buffer.from("hello"), onExisting: "refuse" } as const;
const upload = { name: "u.bin", totalBytes: 10, isText: false, onExisting: "refuse" } as const;

describe("names", () => {
  const refusal = { status: 400, code: "invalid_parameter" };
  const tooLong = ["x".repeat(256), "x".repeat(10_000)];
  const bad = ["", ".", "..", "a/b", "/", "a\0", "a\nb", "\u0085", "\ud800", "a\udc00b", ...tooLong];
  test.for(bad.map((name) => [JSON.stringify(name).slice(0, 40), name] as const))(
    "%s is refused everywhere, and nothing is made",
    async ([, name]) => {
      const user = await makeUser();
      await expect(createFolder(user, undefined, { name })).rejects.toMatchObject(refusal);
      await expect(openFolder(user, undefined, { name })).rejects.toMatchObject(refusal);
      await expect(putFile(user, undefined, { ...small, name })).rejects.toMatchObject(refusal);
      await expect(beginUpload(user, undefined, { ...upload, name })).rejects.toMatchObject(refusal);
      await expect(exportDocument(user.id)).rejects.toMatchObject({ status: 404, code: "no_files" });
      const { id } = await putFile(user, undefined, small);
      await expect(renameEntry(user, id, { name })).rejects.toMatchObject(refusal);
    },
  );

  const longest = ["x".repeat(255), "😀".repeat(127)];
  const odd = ["con", "a\\b", '"', "..a", "a.", ".profile", "x.folder", "__proto__", "a b .txt", "% _'"];
  test.each([...longest, ...odd])("%j is kept as it is", async (name) => {
    const user = await makeUser();
    const { id } = await putFile(user, undefined, { ...small, name });
    const folder = await createFolder(user, undefined, { name: `${name.slice(0, 250)}~` });
    const inside = await putFile(user, folder.id, { ...small, name });
    const listed = await listFolder(user.id, { sort: "name", descending: false, limit: 10 });
    expect(listed.entries.map((entry) => [entry.name, entry.isFolder])).toEqual([
      [folder.name, true],
      [name, false],
    ]);
    expect((await readFile(user.id, id)).name).toBe(name);
    expect((await putFile(user, folder.id, { ...small, name, onExisting: "keep" })).name).toMatch(/ \(2\)/);
    await deleteEntries(user, [inside.id]);
    const nameTaken = { status: 409, code: "name_taken" };
    await expect(putFile(user, undefined, { ...small, name })).rejects.toMatchObject(nameTaken);
  });
});

test("ids of nothing, of others and of nonsense are refused, and the root folder stays where it is", async () => {
  const [user, other] = [await makeUser(), await makeUser()];
  const { id } = await putFile(user, undefined, small);
  const foreign = await putFile(other, undefined, small);
  const { folder } = await listFolder(user.id, { sort: "name", descending: false, limit: 1 });
  const before = await documentOf(user);
  for (const wrong of [foreign.id, "0".repeat(32), "", "x", "'; DROP TABLE", "\0"]) {
    await expect(renameEntry(user, wrong, { name: "b" })).rejects.toMatchObject({ status: 404 });
    await expect(deleteEntries(user, [id, wrong])).rejects.toMatchObject({ status: 404 });
    await expect(moveEntries(user, [wrong], { to: undefined, onExisting: "keep" })).rejects.toMatchObject({
      status: 404,
    });
    if (wrong) await expect(putFile(user, wrong, { ...small, name: "c" })).rejects.toMatchObject({ status: 404 });
  }
  await expect(putFile(user, id, small)).rejects.toMatchObject({ status: 400, code: "not_a_folder" });
  for (const ids of [[folder.id], [id, folder.id]])
    await expect(deleteEntries(user, ids)).rejects.toMatchObject({ status: 400, code: "root_folder" });
  for (const version of [-1, 0, 1.5, 99, Number.NaN])
    await expect(restoreEntries(user, { version, ids: [id] })).rejects.toMatchObject({
      status: version === 1.5 || Number.isNaN(version) ? 400 : 410,
    });
  for (const nonsense of ["", "non sense", '"', "\0", "x".repeat(65)])
    await expect(restoreEntries(user, { version: 1, ids: [nonsense] })).rejects.toMatchObject({ status: 400 });
  // Documents come with ids of many kinds: this could be one, but is not in what was deleted.
  await expect(restoreEntries(user, { version: 1, ids: ["nonsense"] })).rejects.toMatchObject({
    status: 410,
    code: "gone",
  });
  expect(await documentOf(user)).toBe(before);
});
