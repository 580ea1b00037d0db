import { sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { searchable } from "@/lib/platform/fold-case";
import { foldNames, namesToFold } from "./list-queries";

/** Keys per statement. */
const AT_ONCE = 500;

/**
 * Folds the names of keys for searches that were stored by a version which did not, or restored from its backup. Until
 * then, they are searched as the database folds them. Ends after `longestMs`; the next sweep continues. Returns how
 * many.
 */
export async function sweepNames(longestMs = Number.POSITIVE_INFINITY): Promise<number> {
  const end = performance.now() + longestMs;
  for (let folded = 0; ; await turnOfOthers()) {
    const rows = await sql.read(namesToFold(AT_ONCE));
    if (rows.length > 0)
      await sql.batch([foldNames(rows.map(({ id, name }) => [id, name, searchable(name)] as const))]);
    folded += rows.length;
    if (rows.length < AT_ONCE || performance.now() > end) return folded;
  }
}
