import { describe, expect, test } from "vitest";
import { createFolder, openFolder } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { typeSortKey } from "@/lib/files/index/order";
import { listFolder } from "@/lib/files/list";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { readFile } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import { openSelection } from "@/lib/files/select";
import { addPart, beginUpload, finishUpload } from "@/lib/files/upload";
import { foldCase } from "@/lib/platform/fold-case";
import { chunks, textOf, wildEntry } from "@/tests/support/documents";
import { expectIndexed } from "@/tests/support/indexed";
import { makeUser, type TestUser } from "@/tests/support/user";
import { entriesIn, fileEntry, folderEntry, importEntries, put } from "./stored";

const ids = { root: "f".repeat(32), desk: "DESK", twin: "twin", sub: "a-sub", deep: "deep", note: "note", odd: "odd" };
const FOLDER = ".folder";

function document(username: string): unknown[] {
  const home = `origin/(c) users/${username.toLowerCase()}`;
  return [
    ...wildEntry(FOLDER, username, "origin/(c) users", null, ids.root),
    ...wildEntry(FOLDER, "Desktop", home, "", ids.desk),
    ...wildEntry(FOLDER, "My Files", `${home}/desktop`, JSON.stringify([ids.deep]), ids.sub),
    ...wildEntry(FOLDER, "DESKTOP", home, ["other"], ids.twin),
    ...wildEntry(".txt", "Deep", `${home}/desktop/my files`, "deep text", ids.deep),
    ...wildEntry(".txt", "Note", `${home}/DESKTOP`, "a note", ids.note),
    ...wildEntry(".json", "Odd", `${home}/Desktop`, { list: [1, null, "ä"] }, ids.odd),
  ];
}

async function owner(): Promise<TestUser> {
  const user = await makeUser({ username: `Ann-${Math.random().toString(36).slice(2, 12)}` });
  // As some writers of JSON escape quotes in strings.
  const text = JSON.stringify(document(user.username)).replaceAll('\\"', "\\u0022");
  await importDocument(user, chunks(text));
  return user;
}

const stored = async (user: TestUser) => new Map((await entriesIn(user)).map((values) => [String(values[13]), values]));

const listed = async (user: TestUser, folderId?: string) =>
  (await listFolder(user.id, { folderId, sort: "name", descending: false, limit: 100 })).entries.map(
    ({ name }) => name,
  );
const under = (user: TestUser, path: string) => `origin/(c) users/${user.username}${path}`.toLowerCase();
const locationOf = async (user: TestUser, id: string) => String((await stored(user)).get(id)?.[2]).toLowerCase();

test("a folder shows its entries however its location is written; two that count as one show the same", async () => {
  const user = await owner();
  expect(await listed(user)).toEqual(["Desktop", "DESKTOP"]);
  for (const id of [ids.desk, ids.twin]) expect(await listed(user, id)).toEqual(["My Files", "Note.txt", "Odd.json"]);
  const { breadcrumbs } = await listFolder(user.id, { folderId: ids.sub, sort: "name", descending: false, limit: 1 });
  expect(breadcrumbs.map(({ name }) => name)).toEqual([user.username, "Desktop", "My Files"]);
  const odd = await readFile(user.id, ids.odd);
  expect([await textOf(odd.bytes()), odd.length, odd.contentType]).toEqual([
    '{"list":[1,null,"ä"]}',
    22,
    expect.stringMatching(/json/),
  ]);
});

test("what is put into a folder is in its list, whether that was null, empty, or a string with one", async () => {
  const user = await owner();
  const { id: inRoot } = await put(user, "r.txt");
  const { id: inDesk } = await put(user, "d.txt", { folder: ids.desk });
  const { id: inSub } = await put(user, "s.txt", { folder: ids.sub });
  const file = { name: "u.bin", totalBytes: 6, isText: false, onExisting: "refuse" } as const;
  const { uploadId } = await beginUpload(user, ids.twin, file);
  await addPart(user, uploadId, { offset: 0, bytes: Buffer.from("upload") });
  const { id: uploaded } = await finishUpload(user, uploadId);
  const listOf = async (id: string) => (await stored(user)).get(id)?.[3];
  expect(await listOf(ids.root)).toEqual([inRoot]);
  expect(await listOf(ids.desk)).toBe(JSON.stringify([inDesk, uploaded]));
  expect(await listOf(ids.twin)).toEqual(["other", inDesk, uploaded]);
  expect(JSON.parse(String(await listOf(ids.sub)))).toEqual([ids.deep, inSub]);
  await deleteEntries(user, [ids.deep, inRoot]);
  expect(JSON.parse(String(await listOf(ids.sub)))).toEqual([inSub]);
  await expectIndexed(user.id);
});

test("a folder's name is taken in any case of its letters; a file's is not", async () => {
  const user = await owner();
  await expect(createFolder(user, undefined, { name: "desktop" })).rejects.toMatchObject({
    status: 409,
    code: "name_taken",
  });
  expect(await openFolder(user, undefined, { name: "deskTOP" })).toEqual({ id: ids.desk, isNew: false });
  await put(user, "note.txt", { folder: ids.desk });
  const { id } = await createFolder(user, undefined, { name: "Other" });
  await createFolder(user, id, { name: "MY FILES" });
  await expect(renameEntry(user, id, { name: "DeskTop" })).rejects.toMatchObject({ status: 409, code: "name_taken" });
  await expect(moveEntries(user, [ids.sub], { to: id, onExisting: "refuse" })).rejects.toMatchObject({
    status: 409,
    code: "name_taken",
  });
  await moveEntries(user, [ids.sub], { to: id, onExisting: "keep" });
  expect(await listed(user, id)).toEqual(["MY FILES", "My Files (2)"]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/other/my files (2)"));
  await expectIndexed(user.id);
});

test("folders that are one are renamed, moved, deleted and brought back as one, with all that lies below", async () => {
  const user = await owner();
  const before = await stored(user);
  expect((await renameEntry(user, ids.desk, { name: "dESKTOP" })).name).toBe("dESKTOP");
  expect(await listed(user)).toEqual(["dESKTOP", "dESKTOP"]);
  await renameEntry(user, ids.twin, { name: "Papers" });
  expect(await listed(user)).toEqual(["Papers", "Papers"]);
  for (const id of [ids.note, ids.odd, ids.sub]) expect(await locationOf(user, id)).toBe(under(user, "/papers"));
  const { id } = await createFolder(user, undefined, { name: "Box" });
  await moveEntries(user, [ids.twin], { to: id, onExisting: "refuse" });
  expect([await listed(user), await listed(user, id)]).toEqual([["Box"], ["Papers", "Papers"]]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/box/papers/my files"));
  await moveEntries(user, [ids.twin, ids.desk], { to: undefined, onExisting: "refuse" });
  const deleted = await deleteEntries(user, [ids.desk]);
  expect(await listed(user)).toEqual(["Box"]);
  await createFolder(user, undefined, { name: "PAPERS" });
  await restoreEntries(user, deleted);
  expect(await listed(user)).toEqual(["Box", "PAPERS", "Papers (2)", "Papers (2)"]);
  expect(await locationOf(user, ids.deep)).toBe(under(user, "/papers (2)/my files"));
  const after = await stored(user);
  // Without what a move, or a change in a folder, changes.
  const unmoved = (values: unknown[]) => values.toSpliced(0, 3).with(0, 0).with(6, 0).with(8, 0);
  for (const [entry, values] of before)
    if (entry !== ids.root) expect(unmoved(after.get(entry) ?? [])).toEqual(unmoved(values));
  await expectIndexed(user.id);
});

describe("folding case", () => {
  const characters = Array.from({ length: 0x110000 }, (_, point) => point)
    .filter((point) => point < 0xd800 || point > 0xdfff)
    .map((point) => String.fromCodePoint(point));
  const cased = characters.filter(
    (character) => character.toLowerCase() !== character || character.toUpperCase() !== character,
  );
  /** The engine's simple case folding: how `i` and `u` compare (ECMAScript, Canonicalize). */
  const alike = (one: string, other: string) =>
    new RegExp(`^\\u{${one.codePointAt(0)?.toString(16)}}$`, "iu").test(other);

  test("two characters have one fold where simple case folding makes them one, and only there", () => {
    const changed = characters.filter((character) => foldCase(character) !== character);
    // Engines that know fewer letters than Unicode 17.0 know no case of the others.
    const fixed = changed.filter((character) => cased.includes(character));
    expect(changed.length).toBeGreaterThan(1_450);
    expect(fixed.filter((character) => !alike(character, foldCase(character)))).toEqual([]);
    // Letters that the engine folds and we do not would be newer than Unicode 17.0.
    const all = cased.join("");
    const apart = cased.filter((character) =>
      [...all.matchAll(new RegExp(`\\u{${character.codePointAt(0)?.toString(16)}}`, "giu"))].some(
        ([other]) => foldCase(other) !== foldCase(character),
      ),
    );
    expect(Number(process.versions.unicode) > 17 ? [] : apart).toEqual([]);
  });

  test("a fold is as long as the text, and has no other one", () => {
    const wrong = characters.filter(
      (character) =>
        foldCase(character).length !== character.length || foldCase(foldCase(character)) !== foldCase(character),
    );
    expect(wrong).toEqual([]);
  });

  test.each([
    ["Origin/(C) Users/ALICE", "origin/(c) users/alice"],
    ["ÄÖÜ ẞ ſ K Å Σς", "äöü ß s k å σσ"],
    // No folding to several letters, no normalisation, no Turkish: those are other names.
    ["STRASSE straße", "strasse straße"],
    ["İI ıi", "İi ıi"],
    ["e\u0301 É", "e\u0301 é"],
    ["𐐀\ud800 \udc00", "𐐨\ud800 \udc00"],
  ])("%j is folded to %j", (text, folded) => expect(foldCase(text)).toBe(folded));
});

test("names that differ in their normal form only, as macOS writes them, are asked about like equal ones", async () => {
  const user = await makeUser();
  const [composed, decomposed] = ["\u00e9.txt", "e\u0301.txt"];
  const box = await createFolder(user, undefined, { name: "caf\u00e9" });
  const { id } = await put(user, composed);
  const nameTaken = { code: "name_taken" };
  await expect(put(user, decomposed)).rejects.toMatchObject(nameTaken);
  const large = { name: decomposed, totalBytes: 5, isText: true, onExisting: "refuse" as const };
  await expect(beginUpload(user, undefined, large)).rejects.toMatchObject(nameTaken);
  expect((await put(user, decomposed, { onExisting: "keep" })).name).toBe("e\u0301 (2).txt");
  expect((await put(user, decomposed, { onExisting: "replace" })).id).toBe(id);
  // What the file is called is for its owner to choose.
  expect((await renameEntry(user, id, { name: composed })).name).toBe(composed);

  await expect(createFolder(user, undefined, { name: "cafe\u0301" })).rejects.toMatchObject(nameTaken);
  expect((await openFolder(user, undefined, { name: "cafe\u0301" })).id).toBe(box.id);
  expect((await renameEntry(user, box.id, { name: "cafe\u0301" })).name).toBe("cafe\u0301");

  const inside = await put(user, decomposed, { folder: box.id });
  await expect(moveEntries(user, [inside.id], { to: undefined, onExisting: "refuse" })).rejects.toMatchObject(
    nameTaken,
  );
  await expectIndexed(user.id);
});

test("of names equal but for case, the one that is exactly so; a file's name may have slashes", async () => {
  const user = await makeUser();
  const name = user.username;
  const names = ["README", "ReadMe", "λόγος", "AC/DC", "a\tb", "x".repeat(300), "é", "Hi", "", "données"];
  await importEntries(
    user,
    names.map((label, n) => fileEntry(name, 10 + n, label, label)),
  );
  const nameAt = async (path: string) => {
    const { bytes } = await openSelection(user, { path });
    return (JSON.parse(await textOf(bytes())) as unknown[])[1];
  };
  expect(await nameAt("ReadMe.txt")).toBe("ReadMe");
  expect(await nameAt("README.txt")).toBe("README");
  expect(["README", "ReadMe"]).toContain(await nameAt("readme.TXT"));
  expect(await nameAt("ΛΌΓΟΣ.txt")).toBe("λόγος");
  expect(await nameAt("ac/dc.txt")).toBe("AC/DC");
  expect(await nameAt("A\tB.txt")).toBe("a\tb");
  expect(await nameAt(`${"X".repeat(300)}.txt`)).toBe("x".repeat(300));
  expect(await nameAt("e\u0301.txt")).toBe("é");
  expect(await nameAt("E\u0301.TXT")).toBe("é");
  expect(await nameAt(".txt")).toBe("");
  for (const path of ["e.txt", "a b.txt", `${"x".repeat(299)}.txt`, "dc.txt", "readme", "Hi.tx", "donnees.txt"])
    await expect(nameAt(path)).rejects.toMatchObject({ code: "no_such_entry" });
});

test("a path is found however the letters of each of its folders are composed", async () => {
  const user = await makeUser();
  const name = user.username;
  await importEntries(user, [
    folderEntry(name, 2, "Cafe\u0301"),
    folderEntry(name, 3, "Été", "/Cafe\u0301"),
    fileEntry(name, 4, "menu", "text", "/Cafe\u0301/Été"),
  ]);
  for (const path of ["Cafe\u0301/Été", "Café/Été", "CAFÉ/E\u0301te\u0301", "Cafe\u0301/E\u0301te\u0301"]) {
    const { bytes } = await openSelection(user, { path: `${path}/menu.txt` });
    expect((JSON.parse(await textOf(bytes())) as unknown[])[1]).toBe("menu");
    expect(await openSelection(user, { path })).toBeTruthy();
  }
});

test("letters that differ in case begin a name's key alike, but for those that ended with the Middle Ages", () => {
  const apart: string[] = [];
  for (let point = 0; point < 0x110000; point++) {
    const letter = String.fromCodePoint(point);
    if (letter.isWellFormed() && typeSortKey(`a${letter}b`) !== typeSortKey(`a${foldCase(letter)}b`))
      apart.push(letter);
  }
  expect(apart.join("")).toBe("\u0345ςϹᲀᲁᲂᲃᲄᲅᲆᲇᲈ");
});
