import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { MOST_NAMED } from "@/lib/files/import-report";
import { filesSummary } from "@/lib/files/summary";
import { sized } from "@/tests/support/size";
import { chunks, smallDocument, textOf } from "../support/documents";
import { entriesOf, expectIndexed } from "../support/indexed";
import { expectSwept } from "../support/swept";
import { makeUser, type TestUser } from "../support/user";
import { expectedImport, type Oddity, oddities, wildDocument } from "../support/wild-documents";

const stored = async (user: TestUser): Promise<unknown[]> => JSON.parse(await textOf(await exportDocument(user.id)));

/** Imports what can be, and looks whether that is what a simple reading of the document gives. */
async function expectImported(user: TestUser, document: readonly unknown[], size = 65_536): Promise<void> {
  const text = JSON.stringify(document);
  const expected = expectedImport(document, user.username);
  const numbers = Object.keys(expected.refused).map(Number);
  const report = {
    total: document.length / 14,
    taken: Object.keys(expected.taken).length,
    refused: numbers
      .slice(0, MOST_NAMED)
      .map((entry) =>
        expect.objectContaining({ entry, sentence: expect.stringMatching(`^Entry ${entry}, .*[^.]\\.$`) }),
      ),
  };
  if (numbers.length > 0)
    await expect(importDocument(user, chunks(text, size))).rejects.toMatchObject({
      status: 400,
      code: "entries_refused",
      report,
    });
  const imported = await importDocument(user, chunks(text, size), { leaving: "any" });
  expect(imported).toMatchObject(report);

  const reasons = new Map<string, number>();
  for (const reason of Object.values(expected.refused)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  expect(new Map(imported.reasons.map(({ reason, count }) => [reason as string, count]))).toEqual(reasons);
  expect(imported.notes.find(({ note }) => note === "slash")?.count ?? 0).toBeGreaterThanOrEqual(expected.slashes);

  const entries = entriesOf(await stored(user));
  expect(Object.fromEntries(entries.map((values) => [values[13], values]))).toEqual(expected.taken);
  const folders = new Set(["origin/(c) users"]);
  for (const [type, name, location] of entries) {
    expect(folders).toContain(String(location).toLowerCase());
    if (type === ".folder") folders.add(`${location}/${name}`.toLowerCase());
  }
  expect(await filesSummary(user.id)).toEqual({ entries: imported.entries, bytes: imported.bytes });
  await expectIndexed(user.id);
}

const person = async (name: string) => makeUser({ username: `${name}${Math.random().toString(36).slice(2, 12)}` });

describe(
  "What programs in the wild write is imported value for value, but for what cannot be, and that is " + "named",
  () => {
    test.for(oddities)("%s", async (odd) => {
      const user = await person("Alice");
      await expectImported(user, wildDocument(user.username, sized(200, 600), 1, [odd]));
    });

    test("everything together, in any chunks, for its own user and for another one", async () => {
      const user = await person("Bob");
      const subset = fc.subarray<Oddity>([...oddities]);
      const name = fc.constantFrom(user.username, user.username.toLowerCase(), "Eve X", "ÄNNE");
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.integer({ min: 1, max: 80 }),
          subset,
          name,
          fc.integer({ min: 50, max: 9_000 }),
          async (seed, count, odd, of, size) => {
            await expectImported(user, wildDocument(of, count, seed, odd), size);
          },
        ),
        { numRuns: sized(10, 60) },
      );
    });

    test("thousands of entries", async () => {
      const user = await person("Carol");
      await expectImported(user, wildDocument(user.username, sized(1_000, 5_000), 7));
    });
  },
);

test("Our own export after a program that lower-cases locations comes back as that program left it", async () => {
  const user = await person("Alice");
  const document = wildDocument(user.username, 300, 3, []);
  await importDocument(user, chunks(JSON.stringify(document)));
  const passed = (await stored(user)).map((value, at) => (at % 14 === 2 ? String(value).toLowerCase() : value));
  const { refused, notes } = await importDocument(user, chunks(JSON.stringify(passed)));
  expect([refused, notes, await stored(user)]).toEqual([[], [], passed]);
});

describe("What cannot be left out", () => {
  test("changes nothing, unless just as many are as a person has seen", async () => {
    const user = await makeUser();
    const before = JSON.stringify(smallDocument(user.username, "before"));
    await importDocument(user, chunks(before));
    const document = smallDocument(user.username).with(44, "/kit").with(30, `origin/(c) users/${user.username}/gone`);
    const leave = (leaving: number) => importDocument(user, chunks(JSON.stringify(document)), { leaving });
    for (const other of [0, 1, 3, 4])
      await expect(leave(other)).rejects.toMatchObject({ code: "entries_refused", report: { total: 4, taken: 2 } });
    expect(await textOf(await exportDocument(user.id))).toBe(before);
    expect(await leave(2)).toMatchObject({ entries: 2, total: 4, taken: 2, reasons: [{ count: 1 }, { count: 1 }] });
  });

  test("is named a thousand times, and counted further", async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const many = Array.from({ length: 1_500 }, (_, n) => [
      ".txt",
      `${n}`,
      n % 2 ? "/kit" : `${home}/gone`,
      "",
      0,
      0,
      0,
      0,
      0,
      0,
      "",
      0,
      [],
      `a${n}`,
    ]);
    const document = [...smallDocument(user.username), ...many.flat()];
    const imported = await importDocument(user, chunks(JSON.stringify(document)), { leaving: "any" });
    expect(imported.refused.length).toBe(MOST_NAMED);
    expect([imported.taken, imported.total, imported.reasons.map(({ count }) => count)]).toEqual([
      4,
      1_504,
      [750, 750],
    ]);
  });

  test("is written nowhere, however large it is and wherever its fault stands", async () => {
    const user = await makeUser();
    const home = `origin/(c) users/${user.username}`;
    const large = (at: number, wrong: unknown) => {
      const entry: unknown[] = [
        ".txt",
        `large ${at}`,
        home,
        "x".repeat(900_000),
        0,
        0,
        0,
        0,
        0,
        0,
        "",
        0,
        [],
        `large-${at}`,
      ];
      return entry.with(at, wrong);
    };
    const document = smallDocument(user.username);
    const others = [5, 9, 12, 13].flatMap((at) => large(at, { wrong: 1 }));
    const text = JSON.stringify([
      ...others,
      ...document,
      ...large(2, `${home}/gone`),
      ...large(9, []).with(13, "last"),
    ]);
    const imported = await importDocument(user, chunks(text, 7_001), { leaving: "any" });
    expect([imported.taken, imported.total]).toEqual([4, 10]);
    expect(await stored(user)).toEqual(document);
    await expectSwept(user.id);
    await expectIndexed(user.id);
  });
});
