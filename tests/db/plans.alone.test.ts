import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/env";
import { type Explainer, openExplainer } from "@/tests/support/access-paths";
import { STATEMENTS } from "@/tests/support/every-statement";

/** Tables of a row, or of few. */
const SMALL = ["DataKey", "UserSummarySweep", "StatisticsMark", "Examination", "BlockedNetwork"];

/** Statements that may go along an index or a table, and why that costs no more in a large database. */
const ALONG: Record<string, string> = {
  "account.lastEvent": "the last of them, and stops",
  "audit.firstAndLast": "both ends of them",
  "doctor.creatorsWithout": "everything, because an operator asked for an examination",
  "doctor.unsealed": "everything, because an operator asked for an examination",
  // Of an empty database, PostgreSQL's planner cannot know better; plans.heavy.alone.test.ts has rows.
  ...(env.DATABASE_URL && {
    "statistics.someDocuments": "joined in the order of both, up to a limit",
    "summaries.uncountedDocuments": "joined in the order of both, up to a limit",
    "audit.accounts": "joined to a list of unknown length",
    "keyResealing.reseal": "joined to a list of unknown length",
    "sealing.removeFormer": "an anti-join, of which the other side is chosen by rows",
  }),
};

let explainer: Explainer;
beforeAll(async () => {
  explainer = await openExplainer("what indexes allow");
});
afterAll(() => explainer.close());

test("no statement reads a table that grows from its beginning to its end", async () => {
  const along: string[] = [];
  for (const [area, statements] of Object.entries(STATEMENTS))
    for (const [name, statement] of Object.entries(statements)) {
      const accesses = await explainer.accessesOf(statement);
      const isLong = accesses.some(({ table, isSearched }) => !isSearched && !SMALL.includes(table));
      if (isLong) along.push(`${area}.${name}`);
    }
  expect(along.filter((name) => ALONG[name] === undefined)).toEqual([]);
});
