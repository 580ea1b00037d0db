import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createFolder, putFile } from "@/lib/files/create";
import { deleteEntries } from "@/lib/files/delete";
import { importDocument } from "@/lib/files/import";
import { moveEntries } from "@/lib/files/move";
import type { Choice } from "@/lib/files/schema";
import { openSelection } from "@/lib/files/select";
import { db } from "@/lib/platform/db/client";
import { foldCase } from "@/lib/platform/fold-case";
import { bytesOf, chunks, idOf, root, textOf, values, wildEntry } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";
import { entriesIn, fileEntry, folderEntry, homeOf, put } from "./stored";

const VALUES = 14;
const FOLDER = ".folder";

const select = async (user: TestUser, choice: Choice) => textOf((await openSelection(user, choice)).bytes());
async function read(user: TestUser, choice: Choice): Promise<unknown[][]> {
  const values = JSON.parse(await select(user, choice)) as unknown[];
  expect(values.length % VALUES).toBe(0);
  return Array.from({ length: values.length / VALUES }, (_, n) => values.slice(n * VALUES, (n + 1) * VALUES));
}
const idsOf = (entries: unknown[][]) => entries.map((values) => values[13]);
const withoutData = (values: unknown[]) => (values[0] === FOLDER ? values : values.with(3, null));
const pathIn = ([type, name, location]: unknown[]) => `${location}/${name}${type === FOLDER ? "" : type}`;

/** Small entries in several pieces, and two that need several pieces each. */
async function owner(): Promise<TestUser> {
  const user = await makeUser({ username: `Ann-${Math.random().toString(36).slice(2, 12)}` });
  const name = user.username;
  // Values behind the data are longer than a piece, too.
  const icon = `"\\"[{,${"é\\".repeat(200_000)}`;
  const entries = [
    root(name, [idOf(2), idOf(4), idOf(7)]),
    folderEntry(name, 2, "Docs"),
    folderEntry(name, 3, "Déjà \u{1F4C1}", "/Docs"),
    folderEntry(name, 4, "Other"),
    ...Array.from({ length: 900 }, (_, n) =>
      fileEntry(name, 100 + n, `n${n}`, `${n} `.repeat(n % 700), n % 3 ? "/docs" : "/Other"),
    ),
    fileEntry(name, 5, "large", `"\\${"big,]".repeat(200_000)}`, "/docs/déjà \u{1F4C1}"),
    fileEntry(name, 6, "tail", "", "/DOCS"),
    folderEntry(name, 7, "full"),
    ...Array.from({ length: 3 }, (_, n) => fileEntry(name, 10 + n, `last${n}`, "x", "/docs/déjà \u{1F4C1}")),
  ];
  const document = entries.flatMap((entry) =>
    ["large", "tail"].includes(entry.name) ? values(entry).with(10, icon) : values(entry),
  );
  await importDocument(user, chunks(JSON.stringify(document)));
  return user;
}

let user: TestUser;
let all: unknown[][];
beforeAll(async () => {
  user = await owner();
  all = await entriesIn(user);
});

test("one entry by its id or its path, in any case, with or without the path of the root", async () => {
  for (const values of [all[0], all[3], all.at(-1), all[500], all.find((values) => values[1] === "large")]) {
    if (!values) throw new Error();
    const path = pathIn(values);
    const short = path.slice(homeOf(user.username).length) || "/";
    expect(await read(user, { id: String(values[13]) })).toEqual([values]);
    for (const one of [path, path.toUpperCase(), `${path}/`, short, short.slice(1) || "/", short.toLowerCase()])
      expect(await read(user, { path: one })).toEqual([values]);
  }
  expect(await read(user, { path: "docs.folder" })).toEqual(await read(user, { path: "docs" }));
});

test("a folder with everything below it, by its path or its id, in the document's order", async () => {
  for (const [path, id] of [
    ["docs", 2],
    ["Docs/Déjà \u{1F4C1}", 3],
    ["other", 4],
    ["full", 7],
  ] as const) {
    const home = foldCase(`${homeOf(user.username)}/${path}`);
    const below = all.filter(
      (values) => values[13] === idOf(id) || `${foldCase(String(values[2]))}/`.startsWith(`${home}/`),
    );
    expect(await read(user, { under: path })).toEqual(below);
    expect(await read(user, { under: idOf(id) })).toEqual(below);
    expect(await read(user, { under: path, only: "index" })).toEqual(below.map(withoutData));
  }
  expect(await read(user, { under: "/" })).toEqual(all);
  expect(await read(user, { only: "index" })).toEqual(all.map(withoutData));
});

test("odd values of an import come as they are, also in an index", async () => {
  const user = await makeUser();
  const home = `origin/(c) users/${user.username}`;
  const odd = [
    null,
    true,
    5,
    "",
    [1, ["]", { "a\\": '"' }]],
    { "}": "[", "\\": ["\\\\"] },
    '\\"',
    "data:text/plain;base64,YQ==",
  ];
  const rows = odd.map((data, n) => [
    ".x,]",
    `"${n}\\`,
    home,
    data,
    data,
    "1",
    null,
    data,
    "",
    null,
    data,
    null,
    '["a"',
    `o${n}`,
  ]);
  const large = rows.map((row: unknown[], n) =>
    row
      .with(3, ["y".repeat(300_000), row[3]])
      .with(13, `l${n}`)
      .with(0, ".l"),
  );
  const document = [wildEntry(FOLDER, user.username, "origin/(c) users", null, "ROOT"), ...rows, ...large];
  await importDocument(user, chunks(JSON.stringify(document.flat())));
  expect(await read(user, { under: "/" })).toEqual(document);
  expect(await read(user, { only: "index" })).toEqual(document.map(withoutData));
  for (const values of document) expect(await read(user, { id: String(values[13]) })).toEqual([values]);
});

test("any part of a selection is those bytes, and its length is the announced one", async () => {
  for (const choice of [{ under: "docs" }, { path: "docs/déjà \u{1F4C1}/large.txt" }]) {
    const { bytes, length = 0 } = await openSelection(user, choice);
    const complete = await bytesOf(bytes());
    expect(complete.length).toBe(length);
    const position = fc.oneof(fc.nat(length - 1), fc.constantFrom(0, 1, length - 2, length - 1));
    await fc.assert(
      fc.asyncProperty(position, position, async (one, other) => {
        const [first, last] = [Math.min(one, other), Math.max(one, other)];
        expect((await bytesOf(bytes(first, last))).equals(complete.subarray(first, last + 1))).toBe(true);
      }),
      { numRuns: 30 },
    );
  }
});

test("each selection and each version has a tag of its own", async () => {
  const user = await makeUser();
  const { id } = await createFolder(user, undefined, { name: "box" });
  const { id: file } = await put(user, "a.txt", { folder: id });
  const choices: Choice[] = [
    { id },
    { id: file },
    { under: id },
    { under: "/" },
    { only: "index" },
    { under: id, only: "index" },
  ];
  const tags = async () => Promise.all(choices.map(async (choice) => (await openSelection(user, choice)).etag));
  const before = await tags();
  expect(await tags()).toEqual(before);
  expect((await openSelection(user, { path: "BOX/a.txt" })).etag).toBe(before[1]);
  await put(user, "b.txt");
  expect(new Set([...before, ...(await tags())]).size).toBe(2 * choices.length);
});

test("a selection is of one version, though the document changes while it is read and opened", async () => {
  const user = await owner();
  const before = await entriesIn(user);
  const below = before.filter((values) => /^origin\/\(c\) users\/[^/]+\/docs/i.test(pathIn(values)));
  const open = [{ under: "docs" }, { only: "index" as const }, { id: idOf(5) }];
  const readers = await Promise.all(open.map(async (choice) => (await openSelection(user, choice)).bytes()));
  const begun = await Promise.all(readers.map(async (reader) => (await reader.next()).value ?? Buffer.alloc(0)));
  await deleteEntries(user, [idOf(5), idOf(101), idOf(104)]);
  await moveEntries(user, [idOf(4)], { to: idOf(2), onExisting: "refuse" });
  const rest = await Promise.all(readers.map(bytesOf));
  const [folder, index, single] = rest.map((bytes, n) => Buffer.concat([begun[n] ?? bytes, bytes]).toString());
  expect(folder).toBe(JSON.stringify(below.flat()));
  expect(index).toBe(JSON.stringify(before.flatMap(withoutData)));
  expect(single).toBe(JSON.stringify(before.find((values) => values[13] === idOf(5))));
  for (const id of [idOf(5), idOf(101)])
    await expect(read(user, { id })).rejects.toMatchObject({ code: "no_such_entry" });
  const after = await entriesIn(user);
  expect(await read(user, { under: idOf(2) })).toEqual(after.filter((values) => /\/docs/i.test(pathIn(values))));
  let isDone = false;
  const writing = (async () => {
    for (let n = 0; n < 12; n++)
      await putFile(user, idOf(2), { name: `w${n}`, bytes: Buffer.from("w"), onExisting: "keep" });
    isDone = true;
  })();
  while (!isDone) {
    const [first, ...others] = await read(user, { under: "docs" });
    // The folder's list has what the version has, in either order.
    const listed = ((first?.[3] ?? []) as string[]).filter((id) => !all.some((values) => values[13] === id));
    const written = others.filter(([, name]) => /^w\d/.test(String(name)));
    expect(new Set(idsOf(written))).toEqual(new Set(listed));
    expect(others.length - written.length).toBe(after.filter((values) => /\/docs\//i.test(pathIn(values))).length);
  }
  await writing;
});

test("an entry ends where the text says, if rows of the index are missing", async () => {
  const user = await owner();
  const ids = [idOf(5), idOf(105)];
  const before = await Promise.all(ids.map((id) => select(user, { id })));
  await db.fileEntry.deleteMany({ where: { piece: { userId: user.id }, entryId: { notIn: ids } } });
  expect(await Promise.all(ids.map((id) => select(user, { id })))).toEqual(before);
  await db.user.delete({ where: { id: user.id } });
});

test("what is damaged is never read as a document that parses", async () => {
  const user = await owner();
  const large = await db.fileEntry.findFirstOrThrow({ where: { entryId: idOf(5), piece: { userId: user.id } } });
  const { position } = await db.filePiece.findUniqueOrThrow({ where: { id: large.pieceId } });
  const where = { userId: user.id, position: { gt: position } };
  const { id } = await db.filePiece.findFirstOrThrow({ where, orderBy: { position: "asc" } });
  const other = await db.fileContent.findFirstOrThrow({ where: { pieceId: { not: id } } });
  await db.fileContent.update({ where: { pieceId: id }, data: { deflated: other.deflated } });
  for (const choice of [{ id: idOf(5) }, { under: "docs" }, { under: "docs/déjà \u{1F4C1}" }]) {
    const parts: Uint8Array[] = [];
    const reading = async () => {
      for await (const part of (await openSelection(user, choice)).bytes()) parts.push(part);
    };
    await expect(reading()).rejects.toThrow(/damaged/);
    expect(() => JSON.parse(Buffer.concat(parts).toString())).toThrow();
  }
  await db.user.delete({ where: { id: user.id } });
});

test("folders of one user are read one after another, too many are refused, single entries are not", async () => {
  const choices = Array.from({ length: 40 }, (_, n): Choice => (n % 2 ? { under: "docs" } : { id: idOf(100 + n) }));
  const opened = await Promise.allSettled(choices.map((choice) => openSelection(user, choice)));
  const refused = opened.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  expect(refused).toHaveLength(11);
  for (const reason of refused) expect(reason).toMatchObject({ status: 429, headers: { "Retry-After": "1" } });
  const left = AbortSignal.abort();
  await expect(openSelection(user, { under: "docs" }, left)).rejects.toMatchObject({ name: "AbortError" });
});

test("what there is not is neither another user's nor reached by a trick", async () => {
  const noSuchEntry = { status: 404, code: "no_such_entry" };
  const other = await owner();
  await put(other, "theirs.txt");
  const [theirs] = await read(other, { path: "theirs.txt" });
  const home = homeOf(other.username);
  const paths = [
    `${home}/theirs.txt`,
    home,
    "theirs.txt",
    "../docs",
    "docs/../docs",
    "docs//n1.txt",
    "./docs",
    "%64ocs",
  ];
  const others = ["origin", "origin/(c) users", "origin/(c) users/", "docs\\n1.txt", "doc", "*", "docs/."];
  for (const path of [...paths, ...others]) {
    await expect(read(user, { path })).rejects.toMatchObject(noSuchEntry);
    await expect(read(user, { under: path })).rejects.toMatchObject(noSuchEntry);
  }
  await expect(read(user, { id: String(theirs?.[13]) })).rejects.toMatchObject(noSuchEntry);
  await expect(read(user, { under: String(theirs?.[13]) })).rejects.toMatchObject(noSuchEntry);
  // Both documents have entries with these ids.
  expect(await read(user, { id: idOf(2) })).not.toEqual(await read(other, { id: idOf(2) }));
  expect((await read(other, { under: idOf(2) })).map(pathIn).filter((path) => !path.startsWith(home))).toEqual([]);
});
