import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { chunks } from "@/tests/support/documents";
import { origin } from "@/tests/support/http";
import { ownFolder } from "@/tests/support/place";
import { makeUser, type TestUser } from "@/tests/support/user";
import { type FaultyWay, faultyWay } from "./servers";

const FILES = 40;
const LETTERS = 10_000;
/** Between the texts of two files of the same length in both versions. */
const CUT_AFTER = 200_000;

const ids = Array.from({ length: FILES }, newId);

/** A version of a file system in which all files consist of one letter: one is as long as the other. */
function version(user: TestUser, letter: string): Promise<unknown> {
  const home = `origin/(c) users/${user.username}`;
  const file = (id: string, n: number) => [
    ...[".txt", `n${n}`, home, letter.repeat(LETTERS), "", 0, 0, 0, 1, 2, "", LETTERS, [user.username], id],
  ];
  const root = [".folder", user.username, "origin/(c) users", ids, "", 0, 0, 0, 1, 2, "", FILES, [], "f".repeat(32)];
  return importDocument(user, chunks(JSON.stringify([...root, ...ids.flatMap(file)])));
}

const folder = ownFolder("resumed");

/** A way to the service that breaks off the first response, and then calls `meanwhile` once. */
function brokenWay(meanwhile: () => Promise<unknown>): Promise<FaultyWay> {
  let requests = 0;
  return faultyWay(origin, async () => {
    const isFirst = ++requests === 1;
    if (requests === 2) await meanwhile();
    return isFirst ? { kind: "cut", after: CUT_AFTER } : { kind: "none" };
  });
}

type Program = (address: string, token: string, to: string) => string[][];
const bearer = (token: string) => `Authorization: Bearer ${token}`;

/** Each program's own words for "download this", and where it does not go on by itself, for "go on". */
const PROGRAMS: Record<string, Program> = {
  wget: (address, token, to) => [
    ["wget", "-q", "--tries=3", "--waitretry=0", `--header=${bearer(token)}`, "-O", to, address],
  ],
  "wget -c": (address, token, to) =>
    ["--tries=1", "-c"].map((how) => ["wget", "-q", how, "--tries=1", `--header=${bearer(token)}`, "-O", to, address]),
  "curl -C -": (address, token, to) =>
    [[], ["-C", "-"]].map((how) => ["curl", "-s", "-H", bearer(token), "-o", to, ...how, address]),
  aria2c: (address, token, to) => {
    const own = ["--no-conf", `--header=${bearer(token)}`, "-d", folder, "-o", to.slice(folder.length + 1)];
    return [[], ["-c"]].map((how) => ["aria2c", "-q", ...own, ...how, "--max-tries=3", address]);
  },
  HTTPie: (address, token, to) =>
    [[], ["--continue"]].map((how) => [
      ...["http", "--ignore-stdin", "-q", "--download", ...how, "-o", to, address, `Authorization:Bearer ${token}`],
    ]),
};

/** The exit code of the last of these commands, each run after the one before. */
async function run(commands: string[][]): Promise<number> {
  let code = 0;
  for (const [program = "", ...words] of commands) {
    const child = spawn(program, words, { stdio: "ignore", env: { ...process.env, HOME: folder } });
    [code] = (await once(child, "exit")) as [number];
  }
  return code;
}

/** The letters of each file in a document; undefined if it is none. */
function lettersIn(path: string): Set<string> | undefined {
  try {
    const list = JSON.parse(readFileSync(path, "utf8")) as string[];
    return new Set(ids.flatMap((_, n) => [...new Set(list[(n + 1) * 14 + 3])]));
  } catch {
    return undefined;
  }
}

const ASKED = { "all files": "", "a folder": "?under=/" };
const CASES = Object.entries(PROGRAMS).flatMap(([name, program]) =>
  Object.entries(ASKED).map(([what, query]) => ({ name, program, what, query })),
);

describe("a download that breaks off, after which the files change, is no success unless it is of one version", () => {
  test.each(CASES)("$what, by $name", async ({ name, program, query }) => {
    const user = await makeUser();
    await version(user, "A");
    using way = await brokenWay(() => version(user, "B"));
    const to = join(folder, `${name.replace(/\W/g, "")}${query.replace(/\W/g, "")}.json`);
    const code = await run(program(`${way.url}/read-files${query}`, user.token, to));
    if (code === 0) expect(lettersIn(to)?.size).toBe(1);
    else expect(lettersIn(to)).toBeUndefined();
  });
});

test.each(Object.entries(PROGRAMS))(
  "files that have not changed for a day are continued by %s",
  async (name, program) => {
    const user = await makeUser();
    await version(user, "A");
    await db.fileVersion.updateMany({
      where: { userId: user.id },
      data: { publishedAt: new Date(Date.now() - 25 * 60 * 60_000) },
    });
    using way = await brokenWay(async () => {});
    const to = join(folder, `settled${name.replace(/\W/g, "")}.json`);
    expect(await run(program(`${way.url}/read-files`, user.token, to))).toBe(0);
    expect(lettersIn(to)).toEqual(new Set("A"));
  },
);
