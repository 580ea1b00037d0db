import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_NAMED } from "@/lib/files/errors";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { chunks } from "@/tests/support/documents";
import { expectIndexed } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectedImport, type Oddity, oddities, wildDocument } from "@/tests/support/wild-documents";
import { entriesIn } from "./stored";

async function expectImported(user: TestUser, document: readonly unknown[], size = 65_536): Promise<void> {
  const text = JSON.stringify(document);
  const expected = expectedImport(document, user.username);
  const numbers = Object.keys(expected.refused).map(Number);
  const refused = numbers.slice(0, MAX_NAMED).map((entry) => {
    const sentence = expect.stringMatching(`^Entry ${entry}, .*[^.]\\.$`);
    return expect.objectContaining({ entry, sentence });
  });
  const report = { total: document.length / 14, taken: Object.keys(expected.taken).length, refused };
  const refusal = { status: 400, code: "entries_refused", report };
  if (numbers.length > 0) await expect(importDocument(user, chunks(text, size))).rejects.toMatchObject(refusal);
  const imported = await importDocument(user, chunks(text, size), { leaving: "any" });
  expect(imported).toMatchObject(report);

  const reasons = new Map<string, number>();
  for (const reason of Object.values(expected.refused)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  expect(new Map(imported.reasons.map(({ reason, count }) => [reason as string, count]))).toEqual(reasons);
  expect(imported.notes.find(({ note }) => note === "slash")?.count ?? 0).toBeGreaterThanOrEqual(expected.slashes);

  const entries = await entriesIn(user);
  expect(Object.fromEntries(entries.map((values) => [values[13], values]))).toEqual(expected.taken);
  const folders = new Set(["origin/(c) users"]);
  for (const [type, name, location] of entries) {
    expect(folders).toContain(String(location).toLowerCase());
    if (type === ".folder") folders.add(`${location}/${name}`.toLowerCase());
  }
  expect(await filesSummary(user.id)).toEqual({ entries: imported.entries, bytes: imported.bytes });
  await expectIndexed(user.id);
}

const userNamed = async (name: string) => makeUser({ username: `${name}${Math.random().toString(36).slice(2, 12)}` });

describe("what programs in the wild write is imported value for value, and what cannot be is named", () => {
  test("everything together, in any chunks, for its own user and for another one", async () => {
    const user = await userNamed("Bob");
    const subset = fc.subarray<Oddity>([...oddities]);
    const name = fc.constantFrom(user.username, user.username.toLowerCase(), "Eve X", "ÄNNE");
    const [count, chunk] = [fc.integer({ min: 1, max: 150 }), fc.integer({ min: 50, max: 9_000 })];
    await fc.assert(
      fc.asyncProperty(fc.nat(), count, subset, name, chunk, async (seed, count, odd, of, size) => {
        await expectImported(user, wildDocument(of, count, seed, odd), size);
      }),
      { numRuns: sized(8, 90) },
    );
  });

  test("thousands of entries, in a root that has its user's name in other capitals", async () => {
    const user = await userNamed("Carol");
    await expectImported(user, wildDocument(user.username.toLowerCase(), sized(600, 5_000), 7));
  });
});

test("our own export after a program that lower-cases locations comes back as that program left it", async () => {
  const user = await userNamed("Alice");
  const document = wildDocument(user.username, 300, 3, []);
  await importDocument(user, chunks(JSON.stringify(document)));
  const passed = (await entriesIn(user)).map((values) => values.with(2, String(values[2]).toLowerCase()));
  const { refused, notes } = await importDocument(user, chunks(JSON.stringify(passed.flat())));
  expect([refused, notes, await entriesIn(user)]).toEqual([[], [], passed]);
});
