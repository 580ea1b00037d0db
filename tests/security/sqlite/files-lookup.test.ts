import { expect, test } from "vitest";
import { bytesStatement, Prisma } from "@/lib/db/client";
import { byIdStatement } from "@/lib/files/index-rows";

// PostgreSQL chooses its plan by how large the table is; SQLite by the statement alone.
test("entries are found by their ids in the index alone: no row is read that is not answered", async () => {
  const plan = await bytesStatement(Prisma.sql`EXPLAIN QUERY PLAN ${byIdStatement([1, 2], ["a", "b"])}`);
  const lines = plan.map((row) => String(row.at(-1))).join("\n");
  expect(lines).toMatch(/SEARCH e USING INTEGER PRIMARY KEY/);
  expect(lines).toMatch(/SEARCH i USING COVERING INDEX FileEntry_entryBucket_id_entryId_idx/);
  expect(lines).not.toMatch(/SCAN/);
});
