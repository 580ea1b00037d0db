import { expect, test } from "vitest";
import { entriesInBuckets } from "@/lib/files/index/rows";
import { planOf } from "@/tests/support/plan";

// PostgreSQL chooses its plan by how large the table is; SQLite by the statement alone.
test("entries are found by their ids in the index alone: no row is read that is not answered", async () => {
  const lines = (await planOf(entriesInBuckets([1, 2], ["a", "b"]))).join("\n");
  expect(lines).toMatch(/SEARCH e USING INTEGER PRIMARY KEY/);
  expect(lines).toMatch(/SEARCH i USING COVERING INDEX FileEntry_entryBucket_id_entryId_idx/);
  expect(lines).not.toMatch(/SCAN/);
});
