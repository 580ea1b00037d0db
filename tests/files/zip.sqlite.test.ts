import { buffer } from "node:stream/consumers";
import { beforeEach, expect, test } from "vitest";
import { deleteEntries } from "@/lib/files/delete";
import { MAX_ZIPPED, ZipPaths, zipEntries } from "@/lib/files/zip";
import { zipOf } from "@/lib/platform/zip";
import { idOf } from "@/tests/support/documents";
import { streamed, timesIn, unzipped } from "@/tests/support/unzip";
import { makeUser, type TestUser } from "@/tests/support/user";
import { fileEntry, folderEntry, importEntries, put } from "./stored";

let user: TestUser;
beforeEach(async () => {
  user = await makeUser();
});

async function unpacked(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const files = await unzipped(archive, "latin1");
  expect(new Set(files.map(([path]) => path.toLowerCase())).size).toBe(files.length);
  return Object.fromEntries(files);
}

test("has the selected entries with everything below them, and nothing else", async () => {
  await importEntries(user, [
    folderEntry(user.username, 2, "Box"),
    folderEntry(user.username, 3, "Empty", "/Box"),
    folderEntry(user.username, 4, "Inner", "/Box"),
    fileEntry(user.username, 5, "deep", "text", "/box/inner"),
    fileEntry(user.username, 6, "picture", "data:image/png;base64,AP8B", "/Box"),
    fileEntry(user.username, 7, "beside", "not selected"),
    fileEntry(user.username, 8, "selected", "x".repeat(700_000)),
  ]);
  expect(await unpacked(await zipEntries(user, [idOf(2), idOf(8)]))).toEqual({
    "Box/": "",
    "Box/Empty/": "",
    "Box/Inner/": "",
    "Box/Inner/deep.txt": "text",
    "Box/picture.txt": "\x00\xff\x01",
    "selected.txt": "x".repeat(700_000),
  });
});

test("has the same time of a file in every field, also before 1970 and after 2038", async () => {
  const dates = ["1960-05-05T12:00:00Z", "1990-05-05T12:00:00Z", "2037-05-05T12:00:00Z", "2050-05-05T12:00:00Z"];
  async function* parts() {
    async function* bytes() {
      yield Buffer.from("text");
    }
    for (const date of dates) {
      yield { path: `${date.slice(0, 4)}.txt`, bytes: bytes(), edited: new Date(date) };
      yield { path: `${date.slice(0, 4)}/`, edited: new Date(date) };
    }
  }
  expect(await timesIn(zipOf(parts()))).toEqual(
    dates.flatMap((date) => {
      const year = date.slice(0, 4);
      const unix = ["1990", "2037"].includes(year) ? Date.parse(date) / 1_000 : null;
      const dos = year === "1960" ? 1980 : Number(year);
      return [`${year}.txt`, `${year}/`].map((path) => [path, dos, unix]);
    }),
  );
});

test("says before its content which entry may have more than 4 GB, for who reads a stream, and no other", async () => {
  async function* bytes(length: number) {
    for (let left = length; left > 0; left -= 10_000) yield Buffer.alloc(Math.min(left, 10_000), "x");
  }
  async function* parts() {
    yield { path: "folder/" };
    yield { path: "large.txt", bytes: bytes(50_000), size: 5_000_000_000 };
    yield { path: "known.txt", bytes: bytes(500_000), size: 500_000 };
    yield { path: "short.txt", bytes: bytes(50_000) };
    yield { path: "empty.txt", bytes: bytes(0) };
    yield { path: "unknown.txt", bytes: bytes(500_000) };
  }
  const found = [
    ["folder/", 0, false],
    ["large.txt", 50_000, true],
    ["known.txt", 500_000, false],
    ["short.txt", 50_000, false],
    ["empty.txt", 0, false],
    ["unknown.txt", 500_000, true],
  ];
  expect(await streamed(zipOf(parts()))).toEqual(found);
  expect((await unzipped(zipOf(parts()), "latin1")).map(([path, text]) => [path, text.length])).toEqual(
    found.map(([path, length]) => [path, length]),
  );
});

test("a reader that pauses holds up no other archive", async () => {
  let open = 0;
  async function* bytes() {
    open++;
    try {
      for (let n = 0; n < 1_000; n++) yield Buffer.alloc(65_536);
    } finally {
      open--;
    }
  }
  async function* parts() {
    yield { path: "all.bin", bytes: bytes(), size: 65_536_000, compress: false };
  }
  const paused = Array.from({ length: 50 }, () => zipOf(parts()));
  for (const archive of paused) for (let n = 0; n < 4; n++) expect((await archive.next()).done).toBe(false);
  expect(open).toBe(50);
  for (const archive of paused) await archive.return(undefined);
  expect(open).toBe(0);
});

test("content that cannot be read cuts an archive off", async () => {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("text");
    throw new Error("It cannot be read.");
  }
  for (const size of [undefined, 10])
    for (const compress of [true, false]) {
      async function* parts() {
        yield { path: "a.txt", bytes: bytes(), size, compress };
      }
      await expect(buffer(zipOf(parts()))).rejects.toThrow("It cannot be read.");
    }
});

test("paths are safe on every system, and unique regardless of case", async () => {
  const names = ["a:b", "a*b", "A?B", "../../etc", "..", "con", "ends. ", "C:\\x", "\u0000", "a_b (2)"];
  const files = names.map((name, n) => fileEntry(user.username, n + 2, name, `${n}`));
  await importEntries(user, files);
  const ids = files.map(({ id }) => id);
  expect(await unpacked(await zipEntries(user, ids))).toEqual({
    "a_b.txt": "0",
    "a_b (2).txt": "1",
    "A_B (3).txt": "2",
    ".._.._etc.txt": "3",
    "...txt": "4",
    "_con.txt": "5",
    "ends. .txt": "6",
    "C__x.txt": "7",
    "_.txt": "8",
    "a_b (2) (2).txt": "9",
  });
});

test("names fit every file system, and differ in more than how letters are written", async () => {
  const names = ["日".repeat(110), "日".repeat(111), "\u{1d160}".repeat(40), "caf\u00e9", "cafe\u0301", "Straße"];
  const more = ["STRASSE", "con", "COM¹", "a\u202egpj", "می\u200cخ"];
  const files = [...names, ...more].map((name, n) => fileEntry(user.username, n + 2, name, `${n}`));
  await importEntries(user, files);
  const zipped = await unzipped(
    await zipEntries(
      user,
      files.map(({ id }) => id),
    ),
    "utf8",
  );
  expect(zipped.map(([, text]) => text).sort()).toEqual(files.map((_, n) => `${n}`).sort());
  const paths = zipped.map(([path]) => path);
  for (const path of paths) expect(Buffer.byteLength(path), path).toBeLessThanOrEqual(255);
  const alike = new Set(paths.map((path) => path.normalize("NFKC").toUpperCase()));
  expect(alike.size).toBe(files.length);
  expect(paths.slice(3)).toEqual([
    ...["caf\u00e9.txt", "caf\u00e9 (2).txt", "Straße.txt", "STRASSE (2).txt"],
    ...["_con.txt", "_COM¹.txt", "a_gpj.txt", "می\u200cخ.txt"],
  ]);
});

test("thousands of one name and folders nested deeply take no more than their share", () => {
  const paths = new ZipPaths(new Set(["root"]), (path) => path.toLowerCase());
  const head = (id: string, name: string, location: string, type = ".folder") => ({ id, name, location, type });
  expect(paths.add(head("root", "top", "x"))).toBe("top/");
  let location = "x/top";
  for (let depth = 0; depth < 500; depth++) {
    paths.add(head(`folder ${depth}`, "folder", location));
    location += "/folder";
  }
  const longest = paths.add(head("file", "f".repeat(5_000), location, ".".repeat(500))) ?? "";
  expect(Buffer.byteLength(longest)).toBeLessThan(1_000);
  const same = new Set(Array.from({ length: 20_000 }, (_, n) => paths.add(head(`${n}`, "same", "x/top", ".txt"))));
  expect(same.size).toBe(20_000);
  expect(same).toContain("top/same (20000).txt");
  expect(paths.add(head("elsewhere", "beside", "x", ".txt"))).toBeUndefined();
});

test("is of one version, whatever changes while it is read", async () => {
  await importEntries(user, [folderEntry(user.username, 2, "Box"), fileEntry(user.username, 3, "a", "before", "/Box")]);
  const archive = await zipEntries(user, [idOf(2)]);
  await put(user, "b.txt", { folder: idOf(2) });
  await deleteEntries(user, [idOf(3)]);
  expect(await unpacked(archive)).toEqual({ "Box/": "", "Box/a.txt": "before" });
});

test("is produced as it is read: a reader that disconnects leaves nothing open", async () => {
  const bytes = "0123456789abcdef".repeat(1_000_000);
  await importEntries(user, [fileEntry(user.username, 2, "large", `data:image/png;base64,${bytes}`)]);
  const archive = await zipEntries(user, [idOf(2)]);
  let read = 0;
  for await (const chunk of archive) {
    read += chunk.length;
    if (read > 100_000) break;
  }
  expect(read).toBeLessThan(2_000_000);
  expect((await archive.next()).done).toBe(true);
});

test("entries that do not exist are refused before the first byte", async () => {
  await expect(zipEntries(user, [idOf(2)])).rejects.toMatchObject({ code: "entry_not_found", status: 404 });
  await importEntries(user, [folderEntry(user.username, 2, "Box")]);
  await expect(zipEntries(user, [idOf(2), idOf(3)])).rejects.toMatchObject({ code: "entry_not_found" });
});

test("a folder with too much below it is refused before the first byte", async () => {
  const inside = Array.from({ length: MAX_ZIPPED }, (_, n) => fileEntry(user.username, n + 3, `${n}`, "", "/Box"));
  await importEntries(user, [folderEntry(user.username, 2, "Box"), ...inside]);
  await expect(zipEntries(user, [idOf(2)])).rejects.toMatchObject({ code: "too_many_entries", status: 400 });
  await (await zipEntries(user, [idOf(3), idOf(4)])).return(undefined);
});
