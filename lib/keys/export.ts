import type { Caller } from "@/lib/accounts/identity/user";
import { BYTE_ORDER_MARK, csvLine } from "@/lib/platform/csv";
import { sql } from "@/lib/platform/db/client";
import { heldAfter, holderCounts, matching } from "./list-queries";
import type { ListKind } from "./order";
import type { KeyPosition } from "./queries";

/** Keys per statement. */
const PAGE = 500;
const CSV_COLUMNS = ["id", "name", "price", "creator", "holders", "since"];

/**
 * The keys of one kind that the caller holds and that match the search, oldest first, as CSV with a head: a page in
 * memory at a time, read only when the one before it was consumed. It never has a key's data. `holders` is empty for
 * keys of others.
 */
export async function* keysCsv(
  caller: Caller,
  { kind, search }: { kind: ListKind; search: string },
): AsyncGenerator<Uint8Array> {
  const condition = matching(search);
  yield Buffer.from(BYTE_ORDER_MARK + csvLine(CSV_COLUMNS));
  let after: KeyPosition | undefined;
  do {
    const rows = await sql.read(heldAfter(caller.id, condition, { kind, limit: PAGE, after }));
    if (rows.length === 0) return;
    const counts = kind === "made" ? await sql.read(holderCounts(rows.map(({ id }) => id))) : [];
    const holders = new Map(counts.map(({ keyId, count }) => [keyId, count]));
    const lines = rows.map(({ id, name, price, creator, since }) =>
      csvLine([id, name, price, creator, String(holders.get(id) ?? ""), since.toISOString()]),
    );
    yield Buffer.from(lines.join(""));
    after = rows.length === PAGE ? rows.at(-1) : undefined;
  } while (after);
}
