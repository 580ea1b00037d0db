import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spliced } from "@/lib/files/document/splices";
import { MAX_NAMED } from "@/lib/files/errors";
import { problemOf } from "@/lib/files/examine";
import { importDocument } from "@/lib/files/import";
import { filesSummary } from "@/lib/files/list";
import { gzipText, openDocument, plainText } from "@/lib/files/read";
import { resealFiles } from "@/lib/files/reseal";
import { db } from "@/lib/platform/db/client";
import { bytesOf, chunks, smallDocument } from "@/tests/support/documents";
import { contentsOf, expectIndexed, newerKey, piecesOf, unseal } from "@/tests/support/indexed";
import { sized } from "@/tests/support/size";
import { storeAndRead } from "@/tests/support/store-document";
import { makeUser, type TestUser } from "@/tests/support/user";
import { expectedImport, numbersOf, type Oddity, oddities, wildDocument } from "@/tests/support/wild-documents";
import { runStep, type Step, StoreAndModel, step } from "./store-steps";
import { entriesIn } from "./stored";

async function runWhileReading(pair: StoreAndModel, each: Step): Promise<void> {
  if (pair.model.entries.size === 0) return runStep(pair, each);
  const before = await pair.text();
  const reading = plainText(await openDocument(pair.user.id));
  const begun = (await reading.next()).value ?? Buffer.alloc(0);
  await runStep(pair, each);
  // A sweep may remove what is too old.
  if (each.kind === "sweep") return void (await reading.return(undefined));
  expect(Buffer.concat([begun, await bytesOf(reading)]).toString()).toBe(before);
}

/** The user's files are sealed again, with one new key after another, until `isOver`. */
async function resealEndlessly(id: string, isOver: () => boolean): Promise<number> {
  let resealed = 0;
  while (!isOver()) resealed += await resealFiles(id, await newerKey(id));
  return resealed;
}

test("after any writes, imports and sweeps the document is right, also while all is resealed", async () => {
  let [resealed, run] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      const pair = new StoreAndModel(await makeUser());
      const { id } = pair.user;
      const isResealed = run++ % 2 === 0;
      let isOver = false;
      const resealing = isResealed ? resealEndlessly(id, () => isOver) : 0;
      try {
        for (const [n, each] of steps.entries()) {
          if (isResealed && n % 4 === 3) await unseal(id);
          await runWhileReading(pair, each);
          await pair.compare();
        }
      } finally {
        isOver = true;
        resealed += await resealing;
      }
      if (!isResealed) return;
      const current = await newerKey(id);
      await resealFiles(id, current);
      expect((await contentsOf(id)).filter(({ sealedWith }) => sealedWith !== current.number)).toEqual([]);
      expect(await problemOf(id)).toBeUndefined();
      await pair.compare();
    }),
    { numRuns: sized(3, 35) },
  );
  expect(resealed).toBeGreaterThan(10);
});

test("a text that is changed piece by piece is the text that is changed whole", () => {
  const text = Buffer.from("0123456789ab");
  const positions = fc.uniqueArray(fc.integer({ min: 1, max: 11 })).map((all) => all.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(positions, positions, (borders, changed) => {
      // In turn what lies between two places is replaced, and something inserted right after it.
      const splices = changed.map((from, n) => ({ from, to: n % 2 ? from : (changed[n + 1] ?? from), text: `<${n}>` }));
      const starts = [0, ...borders];
      const parts = starts.map((start, n) => spliced(text.subarray(start, starts[n + 1]), start, splices));
      expect(`${Buffer.concat(parts)}`).toBe(`${spliced(text, 0, splices)}`);
    }),
  );
});

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

const MAX_GROWTH = 6_000_000;

test.each([
  ["few", 12_000_000],
  ["late", 7_000_000],
] as const)(
  "a document of %s entries comes back byte for byte, and is never in memory as a whole",
  async (shape, bytes) => {
    const { hashes, growth } = await storeAndRead(shape, bytes);
    expect([hashes.gzip, hashes.selected]).toEqual([hashes.plain, hashes.plain]);
    // What comes before its folder is put behind it.
    if (shape === "few") expect(hashes.plain).toBe(hashes.sent);
    expect(Math.max(growth.store, growth.read, growth.select)).toBeLessThan(MAX_GROWTH);
    expect(growth.readEightAtOnce).toBeLessThan(4 * MAX_GROWTH);
  },
);

/** Of four pieces each, of which each has a flipped bit in each of its columns. */
const USERS = sized(2, 20);
const LENGTH = 500_000;

interface Owner {
  user: TestUser;
  text: string;
  gzip: Buffer;
}

async function readable(source: AsyncIterable<Uint8Array>): Promise<{ bytes: Buffer; isIntact: boolean }> {
  const parts: Uint8Array[] = [];
  let isIntact = true;
  try {
    for await (const part of source) parts.push(part);
  } catch {
    isIntact = false;
  }
  return { bytes: Buffer.concat(parts), isIntact };
}

async function owner(n: number): Promise<Owner> {
  const user = await makeUser();
  const text = JSON.stringify(smallDocument(user.username, `${n} `.repeat(LENGTH / 2)));
  await importDocument(user, chunks(text));
  const { bytes } = await readable(gzipText(await openDocument(user.id)));
  return { user, text, gzip: bytes };
}

/** Reads it in both forms: a reader gets the right bytes, or is cut off before the first wrong one. */
async function isReadable({ user, text, gzip }: Owner): Promise<boolean> {
  const document = await openDocument(user.id);
  const plain = await readable(plainText(document));
  const zipped = await readable(gzipText(document));
  expect(text.startsWith(plain.bytes.toString())).toBe(true);
  expect(gzip.subarray(0, zipped.bytes.length).equals(zipped.bytes)).toBe(true);
  if (plain.isIntact) expect(plain.bytes.toString()).toBe(text);
  if (zipped.isIntact) expect(zipped.bytes.equals(gzip)).toBe(true);
  return plain.isIntact && zipped.isIntact;
}

const flipped = (value: number, bit: number) => value ^ (1 << bit);

test("a flipped bit in any column of a piece is a fault of its document alone, which the doctor names", async () => {
  const owners: Owner[] = [];
  for (let n = 0; n < USERS; n++) owners.push(await owner(n));
  const next = numbersOf(1);
  const random = (below: number) => Math.floor(next() * below);
  let [flips, named] = [0, 0];
  for (const [n, one] of owners.entries()) {
    const witness = owners[(n + 1) % owners.length] ?? one;
    for (const { content, ...piece } of await piecesOf(one.user.id)) {
      const { pieceId } = content;
      const deflated = new Uint8Array(content.deflated);
      const at = random(deflated.length);
      deflated[at] = flipped(deflated[at] ?? 0, random(8));
      const inContent = [
        { deflated },
        { deflated: deflated.subarray(1) },
        { deflated: new Uint8Array(3) },
        { sealedWith: flipped(1, random(20)) },
        { sealedWith: null },
      ];
      const inPiece = [
        { crc: piece.crc ^ (1n << BigInt(random(60))) },
        { plainLength: flipped(piece.plainLength, random(32)) },
        { deflatedLength: flipped(piece.deflatedLength, random(31)) },
        { bornVersion: null },
        { bornVersion: flipped(1, 1 + random(29)) },
        { retiredVersion: random(2) },
        // The same order may be left, and only the doctor looks at how many there are.
        { position: piece.position ^ (1n << BigInt(random(63))) },
        { entries: flipped(piece.entries, random(31)) },
      ];
      for (const data of [...inContent, ...inPiece]) {
        if ("deflated" in data || "sealedWith" in data) await db.fileContent.update({ where: { pieceId }, data });
        else await db.filePiece.update({ where: { id: piece.id }, data });
        flips++;
        const isRead = await isReadable(one);
        const problem = await problemOf(one.user.id);
        const what = Object.keys(data)[0] ?? "";
        if (what !== "position" && what !== "entries") expect([what, isRead]).toEqual([what, false]);
        if (!isRead || what === "entries") expect([what, problem]).toEqual([what, expect.any(String)]);
        if (problem?.includes(piece.id)) named++;
        if (flips % 50 === 0) expect(await isReadable(witness)).toBe(true);
        await db.filePiece.update({ where: { id: piece.id }, data: piece });
        await db.fileContent.update({ where: { pieceId }, data: content });
      }
    }
    expect(await isReadable(one)).toBe(true);
    expect(await problemOf(one.user.id)).toBeUndefined();
  }
  expect(flips).toBeGreaterThanOrEqual(50 * USERS);
  expect(named).toBeGreaterThan(flips / 3);
});
