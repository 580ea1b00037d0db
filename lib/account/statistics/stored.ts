import { sql } from "@/lib/db/client";
import { pace } from "@/lib/turn-of-others";
import { type StoredAmounts, someDocuments, someKeys, someUsers } from "./rows";

/** Counted with one statement: on SQLite, others wait for it. */
const AT_ONCE = 2_000;

/** Counts what is stored now, in small steps. */
export async function countStored(): Promise<StoredAmounts> {
  const [users, keys, documents] = [await userTotals(), await keyTotals(), await documentTotals()];
  return { users: users.rows, keys: keys.rows, keyBytes: keys.sum, fileBytes: documents.sum };
}

/** All accounts. */
export const userTotals = () => total(someUsers);
/** All keys, and the bytes of their data. */
export const keyTotals = () => total(someKeys);
/** All documents, and their bytes. */
export const documentTotals = () => total(someDocuments);

/** Adds up a table, step by step. */
async function total(some: typeof someUsers): Promise<{ rows: number; sum: number }> {
  const added = { rows: 0, sum: 0 };
  const others = pace();
  for (let after = ""; ; ) {
    const [step] = await sql.read(some(after, AT_ONCE));
    added.rows += step?.rows ?? 0;
    added.sum += step?.sum ?? 0;
    if (!step || step.last === null || step.count < AT_ONCE) return added;
    after = step.last;
    await others();
  }
}
