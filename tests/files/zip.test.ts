import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deleteEntries } from "@/lib/files/delete";
import { ZipPaths } from "@/lib/files/document/zip-paths";
import { importDocument } from "@/lib/files/import";
import { putFile } from "@/lib/files/put-file";
import { zipEntries } from "@/lib/files/zip-entries";
import { chunks, type Entry, file, idOf, root, values } from "@/tests/support/documents";
import { makeUser, type TestUser } from "@/tests/support/user";

const folder = (username: string, n: number, name: string, below = ""): Entry => ({
  type: ".folder",
  name,
  location: `origin/(c) users/${username}${below}`,
  data: [],
  id: idOf(n),
});
const within = (username: string, n: number, below: string, name: string, data: string): Entry => ({
  ...file(username, n, data, name),
  location: `origin/(c) users/${username}${below}`,
});
const imported = (user: TestUser, entries: Entry[]) =>
  importDocument(user, chunks(JSON.stringify([root(user.username), ...entries].flatMap(values))));

/** What an independent reader finds in the archive: each path with its content, base64. */
async function unpacked(archive: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const place = mkdtempSync(join(tmpdir(), "latchkey-zip-"));
  try {
    await writeFile(join(place, "all.zip"), archive);
    const script =
      "import base64,json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
      "print(json.dumps([[n, base64.b64encode(z.read(n)).decode()] for n in z.namelist()]))";
    const found: [string, string][] = JSON.parse(
      execFileSync("python3", ["-c", script, join(place, "all.zip")], { encoding: "utf8", maxBuffer: 1 << 28 }),
    );
    expect(new Set(found.map(([path]) => path.toLowerCase())).size).toBe(found.length);
    return Object.fromEntries(found.map(([path, data]) => [path, Buffer.from(data, "base64").toString("latin1")]));
  } finally {
    rmSync(place, { recursive: true });
  }
}

test("has the selected entries with everything below them, and nothing else", async () => {
  const user = await makeUser();
  const { username } = user;
  await imported(user, [
    folder(username, 2, "Box"),
    folder(username, 3, "Empty", "/Box"),
    folder(username, 4, "Inner", "/Box"),
    within(username, 5, "/box/inner", "deep", "text"),
    within(username, 6, "/Box", "picture", `data:image/png;base64,${Buffer.from([0, 255, 1]).toString("base64")}`),
    within(username, 7, "", "beside", "not selected"),
    within(username, 8, "", "selected", "x".repeat(700_000)),
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

test("paths are safe on every system, and unique regardless of case", async () => {
  const user = await makeUser();
  const { username } = user;
  const names = ["a:b", "a*b", "A?B", "../../etc", "..", "con", "ends. ", "C:\\x", "\u0000"];
  await imported(
    user,
    names.map((name, n) => within(username, n + 2, "", name, `${n}`)),
  );
  const all = await unpacked(
    await zipEntries(
      user,
      names.map((_, n) => idOf(n + 2)),
    ),
  );
  expect(all).toEqual({
    "a_b.txt": "0",
    "a_b (2).txt": "1",
    "A_B (3).txt": "2",
    ".._.._etc.txt": "3",
    "...txt": "4",
    "_con.txt": "5",
    "ends. .txt": "6",
    "C__x.txt": "7",
    "_.txt": "8",
  });
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
  expect(Buffer.byteLength(longest)).toBeLessThan(1_200);
  const same = new Set(Array.from({ length: 20_000 }, (_, n) => paths.add(head(`${n}`, "same", "x/top", ".txt"))));
  expect(same.size).toBe(20_000);
  expect(same).toContain("top/same (20000).txt");
  expect(paths.add(head("elsewhere", "beside", "x", ".txt"))).toBeUndefined();
});

test("is of one version, whatever changes while it is read", async () => {
  const user = await makeUser();
  const { username } = user;
  await imported(user, [folder(username, 2, "Box"), within(username, 3, "/Box", "a", "before")]);
  const archive = await zipEntries(user, [idOf(2)]);
  await putFile(user, idOf(2), { name: "b.txt", bytes: Buffer.from("later"), onExisting: "refuse" });
  await deleteEntries(user, [idOf(3)]);
  expect(await unpacked(archive)).toEqual({ "Box/": "", "Box/a.txt": "before" });
});

test("is produced as it is read: a reader that disconnects leaves nothing open", async () => {
  const user = await makeUser();
  const bytes = "0123456789abcdef".repeat(1_000_000);
  await imported(user, [within(user.username, 2, "", "large", `data:image/png;base64,${bytes}`)]);
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
  const user = await makeUser();
  await expect(zipEntries(user, [idOf(2)])).rejects.toMatchObject({ code: "entry_not_found", status: 404 });
  await imported(user, [folder(user.username, 2, "Box")]);
  await expect(zipEntries(user, [idOf(2), idOf(3)])).rejects.toMatchObject({ code: "entry_not_found" });
});
