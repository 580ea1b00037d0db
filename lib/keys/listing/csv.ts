import { sql } from "@/lib/db/client";
import type { Caller } from "@/lib/user";
import type { KeyPlace } from "../rows";
import type { ListKind } from "./order";
import { heldAfter, holderCounts, matching } from "./rows";

/** Keys per statement. */
const PAGE = 500;
const COLUMNS = ["id", "name", "price", "creator", "holders", "since"];
/** Without it, Excel takes the text for one in the alphabet of the computer's region. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * The keys of one kind that the caller holds and that match the search, oldest first, as CSV with a head: a page in
 * memory at a time, read only when the one before it was taken. It never has a key's data. `holders` is empty for keys
 * of others.
 */
export async function* keysCsv(
  caller: Caller,
  { kind, search }: { kind: ListKind; search: string },
): AsyncGenerator<Uint8Array> {
  const found = matching(search);
  yield Buffer.from(BYTE_ORDER_MARK + csvLine(COLUMNS));
  let after: KeyPlace | undefined;
  do {
    const rows = await sql.read(heldAfter(caller.id, found, { kind, limit: PAGE, after }));
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

/** A line of CSV. */
export const csvLine = (fields: string[]): string => `${fields.map(field).join(",")}\r\n`;

/** A spreadsheet runs a field that begins like a formula, even in quotes. A plain number is none. */
function field(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const harmless = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
