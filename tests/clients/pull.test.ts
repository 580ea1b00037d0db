import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Pulled, pull } from "@/clients/cli/src/pull/pull";
import { Latchkey } from "@/clients/typescript/src/latchkey";
import { runScript } from "@/tests/support/admin";
import { idOf, root, values } from "@/tests/support/documents";
import { type DocumentServer, serveDocument } from "./servers";

const HOME = "origin/(c) users/alice";
let scratch: string;
let target: string;
let outside: string;
let server: DocumentServer;

beforeEach(async () => {
  scratch = mkdtempSync(join(tmpdir(), "latchkey-pull-"));
  target = join(scratch, "target");
  outside = join(scratch, "outside");
  mkdirSync(outside);
  server = await serveDocument("[]");
});
afterEach(() => {
  server.close();
  // Whatever a document says, nothing appears beside the folder.
  expect(readdirSync(scratch).filter((name) => name !== "target" && name !== "outside")).toEqual([]);
  rmSync(scratch, { recursive: true });
});

interface Item {
  type?: string;
  name: string;
  at?: string;
  data?: string;
}

let next = 1;
function documentOf(items: Item[]): string {
  const entries = items.map(({ type = ".txt", name, at = "", data = name }) => ({
    ...{ type, name, location: at ? `${HOME}/${at}` : HOME, data: type === ".folder" ? [] : data },
    id: idOf(++next),
  }));
  return JSON.stringify([root("alice"), ...entries].flatMap(values));
}

function get(items: Item[]): Promise<Pulled> {
  server.put(documentOf(items));
  return again();
}
const again = () => pull(new Latchkey(server.url, { token: "lk_x" }), target);

/** The files in the folder, but for those of the command: paths and contents. */
function found(folder = target): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const shown = files.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const);
  return Object.fromEntries(shown.filter(([path]) => !path.startsWith(".latchkey/")));
}

const aside = () => {
  const [run = ""] = readdirSync(join(target, ".latchkey", "replaced"));
  return found(join(target, ".latchkey", "replaced", run));
};

describe("a folder holds what the service has", () => {
  const some: Item[] = [
    { type: ".folder", name: "docs" },
    { name: "a", at: "docs", data: "first" },
    { type: ".png", name: "b", data: `data:image/png;base64,${Buffer.from("picture").toString("base64")}` },
  ];

  test("and only what has changed is written", async () => {
    expect(await get(some)).toMatchObject({ isCurrent: false, files: 2, written: ["docs/a.txt", "b.png"] });
    expect(found()).toEqual({ "docs/a.txt": "first", "b.png": "picture" });
    expect(Math.round(statSync(join(target, "b.png")).mtimeMs)).toBe(1_700_000_000_001);
    expect(await again()).toMatchObject({ isCurrent: true, files: 2, written: [] });
    for (const data of ["first.", "f"]) {
      const pulled = await get(some.with(1, { name: "a", at: "docs", data }));
      expect(pulled).toMatchObject({ isCurrent: false, files: 2, written: ["docs/a.txt"], movedAside: [] });
      expect(found()).toEqual({ "docs/a.txt": data, "b.png": "picture" });
    }
  });

  test("a file that was changed, or deleted, here comes back, and the change is kept", async () => {
    await get(some);
    writeFileSync(join(target, "docs/a.txt"), "mine");
    rmSync(join(target, "b.png"));
    expect(await again()).toMatchObject({
      isCurrent: false,
      written: ["docs/a.txt", "b.png"],
      movedAside: ["docs/a.txt"],
    });
    expect(found()).toEqual({ "docs/a.txt": "first", "b.png": "picture" });
    expect(aside()).toEqual({ "docs/a.txt": "mine" });
  });

  test("what the service no longer has is moved aside, but not what somebody has changed or added", async () => {
    await get([...some, { name: "c" }]);
    writeFileSync(join(target, "c.txt"), "changed");
    writeFileSync(join(target, "own.txt"), "own");
    expect(await get([some[2] as Item])).toMatchObject({ removed: ["docs/a.txt"] });
    expect(found()).toEqual({ "b.png": "picture", "c.txt": "changed", "own.txt": "own" });
    expect(aside()).toEqual({ "docs/a.txt": "first" });
    expect(existsSync(join(target, "docs"))).toBe(false);
  });

  test("files that were there before are never lost", async () => {
    mkdirSync(join(target, "b.png"), { recursive: true });
    writeFileSync(join(target, "b.png", "inside"), "inside");
    writeFileSync(join(target, "docs"), "a file");
    await get(some);
    expect(found()).toEqual({ "docs/a.txt": "first", "b.png": "picture" });
    expect(aside()).toEqual({ "b.png/inside": "inside", docs: "a file" });
  });

  test("the files of somebody else go into another folder", async () => {
    await get(some);
    const other = await serveDocument(documentOf(some), "bob");
    const theirs = pull(new Latchkey(other.url, { token: "lk_y" }), target);
    await expect(theirs).rejects.toMatchObject({ code: "other_folder", status: 2 });
    other.close();
  });

  test("one at a time", async () => {
    const both = await Promise.allSettled([get(some), again()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(readdirSync(join(target, ".latchkey"))).toEqual(["state.jsonl"]);
  });

  const here = { host: hostname(), pid: process.ppid };
  test.each([
    ["a process that runs", here, 0, true],
    ["a killed process", { ...here, pid: 999_999_999 }, 0, false],
    ["a killed process whose id is another's by now", here, 180, false],
    ["another machine", { host: "elsewhere", pid: 999_999_999 }, 60, true],
    ["another machine that is gone", { host: "elsewhere", pid: process.ppid }, 180, false],
    ["another machine whose clock is wrong", { host: "elsewhere", pid: process.ppid }, -86_400, false],
    ["a process that has not written it yet", "", 0, true],
  ] as const)("the lock of %s", async (_, owner, secondsAgo, isHeld) => {
    await get(some);
    const lock = join(target, ".latchkey", "lock-other");
    writeFileSync(lock, JSON.stringify(owner));
    writeFileSync(join(target, ".latchkey", "part-1"), "half");
    const then = new Date(Date.now() - secondsAgo * 1000);
    utimesSync(lock, then, then);
    if (isHeld) await expect(again()).rejects.toMatchObject({ code: "already_running", status: 6 });
    else expect(await again()).toMatchObject({ isCurrent: true });
    const left = readdirSync(join(target, ".latchkey"));
    expect(left.sort()).toEqual(isHeld ? ["lock-other", "part-1", "state.jsonl"] : ["state.jsonl"]);
  });

  test("a file system without hard links and times will do", async () => {
    server.put(documentOf(some));
    const env = { ...process.env, NODE_OPTIONS: `--import=${resolve("tests/clients/simple-disk.mjs")}` };
    const signedIn = { LATCHKEY_ADDRESS: server.url, LATCHKEY_TOKEN: "lk_x" };
    const ended = await runScript("clients/cli/src/main.ts", ["files", "pull", target], { ...env, ...signedIn });
    expect(ended).toMatchObject({ status: 0, stdout: "Saved 2 files of 2.\n", stderr: "" });
    expect(found()).toEqual({ "docs/a.txt": "first", "b.png": "picture" });
  });

  /** Stops after so many files. */
  async function stopAfter(count: number): Promise<void> {
    const stop = new AbortController();
    const onProgress = (files: number) => files === count && stop.abort(new Error("stopped"));
    const pulling = pull(new Latchkey(server.url, { token: "lk_x" }), target, { signal: stop.signal, onProgress });
    await expect(pulling).rejects.toThrow("stopped");
  }

  test("a pull that was stopped goes on where it was", async () => {
    const many = Array.from({ length: 50 }, (_, n) => ({ name: `file ${n}`, data: String(n).repeat(2_000) }));
    server.put(documentOf(many));
    await stopAfter(20);
    server.sent.length = 0;
    const { files, written } = await again();
    expect([files, server.sent.map(({ status }) => status)]).toEqual([50, [206]]);
    expect(written.length).toBeLessThanOrEqual(31);
    expect(Object.keys(found())).toHaveLength(50);
    expect(await again()).toMatchObject({ isCurrent: true });
  });

  test("and goes on with another version if there is one", async () => {
    server.put(documentOf([{ name: "a" }, { name: "b" }, { name: "c" }]));
    await stopAfter(2);
    await get([{ name: "b", data: "new" }]);
    expect(found()).toEqual({ "b.txt": "new" });
    expect(aside()).toEqual({ "a.txt": "a" });
  });
});

describe("a hostile document never writes outside the folder", () => {
  test("names that lead elsewhere, or are devices", async () => {
    const all = [
      ...["..", ".", "", "/etc/passwd", "C:\\x", "..\\..\\x", "\\\\server\\share", "a:b", "CON", "nul", "com1"],
      ...["LPT¹", "aux.tar", "x.", "x ", "a\0b", "a\u202egpj", ".latchkey", ".LATCHKEY", ".latch\u200dkey"],
    ];
    await get([
      ...all.map((name) => ({ name, type: "" })),
      ...all.map((name) => ({ name, type: ".folder" })),
      ...all.map((name) => ({ name: "inside", at: name })),
      { name: "", type: "/../../escaped" },
      { name: "x".repeat(300), type: ".txt" },
    ]);
    for (const path of readdirSync(target, { recursive: true, encoding: "utf8" })) {
      if (path === ".latchkey" || path.startsWith(".latchkey/")) continue;
      for (const part of path.split("/")) {
        expect(part).not.toMatch(/[\\:*?"<>|\p{Cc}\u202e]|[. ]$|^(?:con|nul|aux|com1|lpt¹)(?:\.|$)/iu);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255);
      }
    }
    expect(Object.keys(found())).toHaveLength(all.length * 2 + 2);
    expect(readdirSync(join(target, ".latchkey")).sort()).toEqual(["state.jsonl"]);
  });

  test("names that differ in case, or in how letters are written, are different files", async () => {
    const names = ["Note", "note", "NOTE", "caf\u00e9", "cafe\u0301", "\ufb01le", "file", "note (2)"];
    await get(names.map((name, n) => ({ name, data: String(n) })));
    const files = found();
    expect(Object.values(files).sort()).toEqual(names.map((_, n) => String(n)));
    const alike = Object.keys(files).map((name) => name.normalize("NFKC").toLowerCase());
    expect(new Set(alike).size).toBe(names.length);
  });

  test("folders with such names are different folders", async () => {
    const names = ["Straße", "Strasse", "caf\u00e9", "cafe\u0301", "\ufb01le", "file", "a:b", "a?b"];
    await get(
      names.flatMap((name) => [
        { type: ".folder", name },
        { name: "inside", at: name.toUpperCase() === "STRASSE" ? name : name.toUpperCase(), data: name },
      ]),
    );
    const files = found();
    expect(Object.values(files)).toHaveLength(names.length);
    expect(files).toMatchObject({
      "Straße/inside.txt": "Straße",
      "Strasse (2)/inside.txt": "Strasse",
      "caf\u00e9/inside.txt": "caf\u00e9",
      "caf\u00e9 (2)/inside.txt": "cafe\u0301",
    });
  });

  test("folders that are 10,000 deep end at a depth that every system has", async () => {
    const depth = 10_000;
    const at = (n: number) => Array(n).fill("d").join("/");
    const folder = (n: number) => ({ type: ".folder", name: "d", at: at(n) });
    // The locations of all of them would be 100 MB.
    const some = Array.from({ length: 520 }, (_, n) => folder(n < 500 ? n : depth - 520 + n));
    await get([...some, { name: "deepest", at: at(depth) }]);
    const [[path = "", text] = []] = Object.entries(found());
    expect(text).toBe("deepest");
    expect(path.length).toBeLessThan(800);
  });

  test("links that are in the folder are not followed", async () => {
    mkdirSync(target);
    writeFileSync(join(outside, "secret.txt"), "outside");
    symlinkSync(outside, join(target, "docs"));
    symlinkSync(join(outside, "secret.txt"), join(target, "secret.txt"));
    symlinkSync(join(outside, "missing.txt"), join(target, "new.txt"));
    await get([
      { type: ".folder", name: "docs" },
      { name: "secret", at: "docs", data: "hostile" },
      { name: "secret", data: "hostile" },
      { name: "new", data: "hostile" },
    ]);
    expect(found(outside)).toEqual({ "secret.txt": "outside" });
    expect(found()).toEqual({ "docs/secret.txt": "hostile", "secret.txt": "hostile", "new.txt": "hostile" });
    expect(lstatSync(join(target, "docs")).isDirectory()).toBe(true);
    const [run = ""] = readdirSync(join(target, ".latchkey", "replaced"));
    expect(readlinkSync(join(target, ".latchkey", "replaced", run, "docs"))).toBe(outside);
  });

  test.each([".latchkey", ".latchkey/state.jsonl", ".latchkey/next.jsonl", ".latchkey/lock", ".latchkey/replaced"])(
    "not even a link at %s",
    async (path) => {
      mkdirSync(join(target, path, ".."), { recursive: true });
      writeFileSync(join(outside, "file"), "outside");
      symlinkSync(
        path.endsWith("jsonl") || path.endsWith("lock") ? join(outside, "file") : outside,
        join(target, path),
      );
      writeFileSync(join(target, "a.txt"), "mine");
      await get([{ name: "a", data: "new" }]).catch(() => {});
      expect(found(outside)).toEqual({ file: "outside" });
    },
  );
});
