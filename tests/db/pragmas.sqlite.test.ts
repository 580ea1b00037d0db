import { expect, test } from "vitest";
import { db, Prisma } from "@/lib/db/client";

// Journal: readers and a writer of other processes go on side by side. Synchronous 2 is FULL: an answered write
// survives a power cut. Busy timeout 0: better-sqlite3 would wait inside a synchronous call, so lib/db/sqlite.ts waits
// instead.
test.each([
  ["journal_mode", "wal"],
  ["synchronous", 2n],
  ["foreign_keys", 1n],
  ["busy_timeout", 0n],
  ["trusted_schema", 0n],
  ["wal_autocheckpoint", 4000n],
])("PRAGMA %s reads back as %s", async (pragma, value) => {
  const [row] = await db.$queryRaw<Record<string, unknown>[]>(Prisma.raw(`PRAGMA ${pragma}`));
  expect(Object.values(row ?? {})).toEqual([value]);
});

test("contents of files are read past the cache, which keeps the pages of look-ups", async () => {
  const options = await db.$queryRaw<{ compile_options: string }[]>`PRAGMA compile_options`;
  expect(options.map((option) => option.compile_options)).toContain("DIRECT_OVERFLOW_READ");
});
