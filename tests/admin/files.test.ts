import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, root, values, wildEntry } from "@/tests/support/documents";
import { answer, makeOperatorsUser, refusal, run, scratch } from "./command";

function written(username: string, text: string | Buffer): string {
  const path = join(scratch, `${username}.json`);
  writeFileSync(path, text);
  return path;
}
const exported = async (username: string) => (await run("files:export", username)).printed;

test("all of a document that cannot be imported is named, and left out only when told to", async () => {
  const { username } = await makeOperatorsUser();
  const home = `origin/(c) users/${username.toLowerCase()}`;
  const entry = (type: string, name: string, location: string, id: string) =>
    wildEntry(type, name, location, type === ".txt" ? "x" : null, id);
  const entries = [
    entry(".txt", "Early", `${home}/docs`, "e"),
    entry(".folder", username, "origin/(c) users", "r"),
    entry(".folder", "Docs", home, "d"),
    entry(".txt", "kit", "/kit", "k"),
    entry(".txt", "orphan", `${home}/gone`, "o"),
  ];
  const path = written(username, JSON.stringify(entries.flat()));
  const { printed, said, thrown } = await run("files:import", username, path);
  expect(printed).toBe("");
  for (const place of ["Entry 4, location:", "Entry 5, location:"]) expect(said).toContain(place);
  const sentence = "2 of 5 entries cannot be imported. Nothing was changed. Use --skip to import the other 3.";
  expect((thrown as Error).message).toBe(sentence);
  expect((await run("files:export", username)).thrown).toBeInstanceOf(Error);
  const skipped = await run("files:import", username, path, "--skip");
  expect(JSON.parse(skipped.printed)).toMatchObject({ username, entries: 3, skipped: 2 });
  expect(JSON.parse(await exported(username))).toHaveLength(3 * 14);
});

test("a document is imported from a file and exported value for value; a broken one changes nothing", async () => {
  const { username } = await makeOperatorsUser();
  const document = [root(username), file(username, 2, "Hello, \u0000wörld 😀")].flatMap(values);
  const given = JSON.stringify(document, null, 2);
  for (const bytes of [given, `\ufeff${given}`, Buffer.from(`\ufeff${given}`, "utf16le")])
    expect(await answer("files:import", username, written(username, bytes))).toMatchObject({ username, entries: 2 });
  const text = await exported(username);
  expect(JSON.parse(text)).toEqual(document);
  const none = await refusal("files:import", username, join(scratch, "none"));
  expect(none).toMatch(/^The file .+ cannot be read: it does not exist\.$/);
  const broken = await run("files:import", username, written(username, text.slice(0, -20)));
  expect([broken.printed, broken.said]).toEqual(["", ""]);
  expect((broken.thrown as Error).message).toMatch(/^This is not a JSON array: it ends too early[^\n]+$/);
  expect(await exported(username)).toBe(text);
});
