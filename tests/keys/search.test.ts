import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { findKey } from "@/lib/keys/access";
import { listKeys } from "@/lib/keys/list";
import { listAllKeys } from "@/lib/keys/operator";
import { sweepNames } from "@/lib/keys/sweep";
import { updateKey } from "@/lib/keys/update";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { searchable } from "@/lib/platform/fold-case";
import { newKey, type Person, person } from "./keys";

const names = async (caller: Person, search: string) =>
  (await listKeys(caller, { kind: "made", search, page: "1", sort: "name" })).keys.map(({ name }) => name);

/** Those of one test begin with a text of its own. */
const beginning = async (text: string, own: string) =>
  ((await listAllKeys("name", text)) ?? { keys: [] }).keys.map(({ name }) => name).filter((name) => name.includes(own));

/** As a version before folded names has left it. */
const unfold = (ids: string[]) => db.key.updateMany({ where: { id: { in: ids } }, data: { nameKey: null } });

let caller: Person;
let ids: string[] = [];
beforeAll(async () => {
  caller = await person();
});

const ALIKE: [what: string, name: string, searched: string[]][] = [
  ["German", "Übungsheft", ["übung", "ÜBUNG", "u\u0308bung"]],
  ["German sharp s", "GROẞE Straße", ["große", "GROẞE", "straẞe"]],
  ["Russian", "Привет Мир", ["привет", "ПРИВЕТ", "мир"]],
  ["Greek with a final sigma", "ΛΌΓΟΣ", ["λόγος", "λόγοσ", "ΛΌΓΟΣ"]],
  ["Turkish", "İstanbul ISPARTA ılgaz", ["istanbul", "İSTANBUL", "ıspar", "ILGAZ", "ilgaz"]],
  ["a mark of its own", "Cafe\u0301", ["café", "CAFÉ", "cafe\u0301"]],
  ["full width", "Ｌｉｃｅｎｃｅ", ["licence", "LICENCE", "ｌｉｃｅｎｃｅ"]],
  ["a ligature", "Oﬃce", ["office", "OFFICE"]],
  ["wildcards", "100%_\\!é", ["100%", "%_\\!É", "％＿"]],
  ["beyond the first plane", "𐐀𐐁 😀", ["𐐨𐐩", "😀"]],
];
/** Texts that are in no name of `ALIKE`, though some would say so. */
const APART = ["ubung", "strasse", "logos", "cafe b", "1_0", "%%", "\\\\"];

describe("names of keys that are not ASCII", () => {
  beforeAll(async () => {
    ids = [];
    for (const [, name] of ALIKE) ids.push(await newKey(caller, { name }));
    ids.push(await newKey(caller, { name: "plain LICENCE" }));
  });

  test.each(ALIKE)("%s: %j is found however it is written", async (_what, name, searched) => {
    for (const text of searched)
      expect([text, await names(caller, text)]).toEqual([text, expect.arrayContaining([name])]);
  });

  test("what is no more than similar is not found", async () => {
    for (const text of APART) expect([text, await names(caller, text)]).toEqual([text, []]);
  });

  test("a name of 100 characters is found by all of it, whichever they are", async () => {
    const name = `a${"😀".repeat(99)}`;
    await newKey(caller, { name });
    expect(await names(caller, name)).toEqual([name]);
  });

  test("an ASCII name is found by full width, too", async () => {
    expect(await names(caller, "ＰＬＡＩＮ")).toEqual(["plain LICENCE"]);
  });

  test("a name that was changed is found by the new one only", async () => {
    const id = await newKey(caller, { name: "Ärger" });
    await updateKey(caller, await findKey(caller, id), { field: "name", value: "Öffnung" });
    expect([await names(caller, "ärger"), await names(caller, "öffnung")]).toEqual([[], ["Öffnung"]]);
    await updateKey(caller, await findKey(caller, id), { field: "name", value: "plain again" });
    expect([await names(caller, "öffnung"), await names(caller, "AGAIN")]).toEqual([[], ["plain again"]]);
  });

  test("lists are sorted as they are searched", async () => {
    const user = await person();
    for (const name of ["Ähre", "ähnlich", "Äpfel", "zebra", "Anton"]) await newKey(user, { name });
    const sorted = await names(user, "");
    expect(sorted.filter((name) => /^ä/i.test(name))).toEqual(["ähnlich", "Ähre", "Äpfel"]);
  });
});

describe("an operator's search by the beginning of a name", () => {
  test("finds names in any case, in the order of names, page by page", async () => {
    const own = `${Date.now()}`;
    const all = Array.from({ length: 30 }, (_, n) => `${n % 2 ? "Ж" : "ж"}${own} ${String(n).padStart(2, "0")}`);
    for (const name of all.toReversed()) await newKey(caller, { name });
    const first = await listAllKeys("name", `ж${own}`);
    const second = await listAllKeys("name", `Ж${own}`, first?.next ?? "");
    expect([...(first?.keys ?? []), ...(second?.keys ?? [])].map(({ name }) => name)).toEqual(all);
    expect([first?.keys.length, second?.next]).toEqual([25, null]);
  });
});

describe("names from before they were folded", () => {
  test("are found as before until the sweep, and then in any case", async () => {
    const own = `Ünï-${Date.now()}`;
    const [plain, ...others] = [`plain ${own.slice(4)}`, own, `${own} ПРИВЕТ`];
    const stored: string[] = [];
    for (const name of [plain, ...others]) stored.push(await newKey(caller, { name }));
    await unfold(stored);
    expect(await names(caller, own)).toEqual(expect.arrayContaining(others));
    expect(await beginning(own, own)).toEqual(others);
    expect(await names(caller, plain?.toUpperCase() ?? "")).toEqual([plain]);
    // One that was created since.
    await newKey(caller, { name: `${own} neu` });
    // What is not folded yet is in the order in which the database has it.
    expect((await beginning(own, own)).sort()).toEqual([own, `${own} neu`, `${own} ПРИВЕТ`]);

    expect(await sweepNames()).toBeGreaterThanOrEqual(2);
    expect(await sweepNames()).toBe(0);
    const rows = await db.key.findMany({ where: { id: { in: stored } } });
    for (const { name, nameKey } of rows) expect(nameKey).toBe(name === plain ? null : searchable(name));
    expect(await names(caller, searchable(own))).toEqual(expect.arrayContaining(others));
    expect(await beginning(own.toUpperCase(), own)).toEqual([own, `${own} neu`, `${own} ПРИВЕТ`]);
  });

  test("of many keys are folded some hundreds at a time, and the next sweep continues", async () => {
    const user = await person();
    const first = await newKey(user, { name: "Größe" });
    const more = Array.from({ length: 600 }, (_, n) => ({
      id: `${"0".repeat(28)}${n.toString(16).padStart(4, "0")}`.replace(/^0/, "f"),
      creatorId: user.id,
      name: `Größe ${n}`,
      data: "",
      dataBytes: 0,
      price: "1",
      createdAt: new Date(),
      updatedAt: new Date(),
    }));
    await db.key.createMany({ data: more });
    await unfold([first]);
    expect(await sweepNames(0)).toBe(500);
    expect(await sweepNames()).toBe(101);
    await db.key.deleteMany({ where: { creatorId: user.id } });
  });
});

// In Turkish, the small letter of "I" is "ı". A database of PostgreSQL may have been created with that locale.
if (env.DATABASE_URL)
  test("in a Turkish database, an ASCII name is found whatever its case", async () => {
    const collate = (collation: string) =>
      db.$executeRawUnsafe(`ALTER TABLE "Key" ALTER COLUMN "name" TYPE text COLLATE "${collation}"`);
    await collate("tr-x-icu");
    onTestFinished(async () => void (await collate("default")));
    const user = await person();
    await newKey(user, { name: "KIT of a test" });
    for (const search of ["kit", "KIT", "Kit"]) {
      expect(await names(user, search)).toEqual(["KIT of a test"]);
      expect((await listAllKeys("name", search))?.keys.map(({ name }) => name)).toContain("KIT of a test");
    }
  });
