import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { bundled } from "@/tests/support/bundle";
import { wildEntry } from "@/tests/support/documents";
import { admin, answer, makeOperatorsUser, scratch } from "./command";

const run = promisify(execFile);

describe.concurrent("the admin command", () => {
  test("names all of a document that cannot be imported, and leaves it out only when told to", async () => {
    const { username } = await makeOperatorsUser();
    const home = `origin/(c) users/${username.toLowerCase()}`;
    const entry = (type: string, name: string, location: string, id: string) =>
      wildEntry(type, name, location, type === ".txt" ? "x" : null, id);
    const entries = [
      entry(".txt", "Early", `${home}/docs`, "e"),
      entry(".folder", username, "origin/(c) users", "r"),
      entry(".folder", "Docs", home, "d"),
    ];
    const lost = [entry(".txt", "kit", "/kit", "k"), entry(".txt", "orphan", `${home}/gone`, "o")];
    const text = JSON.stringify([...entries, ...lost].flat());
    const refused = await admin(["files:import", username, "-"], text);
    expect([refused.status, refused.stdout]).toEqual([1, ""]);
    for (const said of [
      "Entry 4, location:",
      "Entry 5, location:",
      "2 of 5 entries cannot be imported. Nothing was changed. Use --skip to import the other 3.",
    ])
      expect(refused.stderr).toContain(said);
    expect((await admin(["files:export", username])).status).toBe(1);
    const skipped = await admin(["files:import", username, "-", "--skip"], text);
    expect(JSON.parse(skipped.stdout)).toMatchObject({ username, entries: 3, skipped: 2 });
    expect(JSON.parse((await admin(["files:export", username])).stdout).length).toBe(3 * 14);
  });

  test("imports a document from a file or standard input, and exports it value for value", async () => {
    const { username } = await makeOperatorsUser();
    const place = `origin/(c) users/${username}`;
    const text = [
      ".txt",
      "hello",
      place,
      "Hello, \u0000wörld 😀",
      null,
      0,
      0.5,
      "0",
      1790000000000,
      1790000000000,
      "",
      18,
      [username],
      "0".repeat(32),
    ];
    const root = [
      ".folder",
      username,
      "origin/(c) users",
      ["0".repeat(32)],
      "",
      0,
      0,
      0,
      1790000000000,
      1790000000000,
      "",
      1,
      [username],
      "f".repeat(32),
    ];
    const file = join(scratch, `${username}.json`);
    writeFileSync(file, JSON.stringify([...root, ...text], null, 2));

    expect((await admin(["files:export", username])).status).toBe(1);
    expect(await answer(["files:import", username, file])).toMatchObject({ username, entries: 2 });
    const exported = await admin(["files:export", username]);
    expect([exported.status, exported.stderr, JSON.parse(exported.stdout)]).toEqual([0, "", [...root, ...text]]);
    expect(await answer(["files:import", username, "-"], exported.stdout)).toMatchObject({ username, entries: 2 });
    expect((await admin(["files:export", username])).stdout).toBe(exported.stdout);

    const unread = `${process.execPath} ${await bundled("scripts/admin.ts")} files:export ${username}`;
    const { stderr } = await run("sh", ["-c", `(${unread}; echo $? >&2) | true`]);
    expect(stderr).toBe("The output was closed before the whole document was written.\n1\n");

    const broken = await admin(["files:import", username, "-"], exported.stdout.slice(0, -20));
    expect([broken.status, broken.stdout]).toEqual([1, ""]);
    expect(broken.stderr).toMatch(/^This is not a JSON array: it ends too early[^\n]+\n$/);
    expect((await admin(["files:export", username])).stdout).toBe(exported.stdout);
  });
});
