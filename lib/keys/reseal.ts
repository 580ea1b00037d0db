import type { KeyObject } from "node:crypto";
import type { UserKey } from "@/lib/platform/crypto/user-keys";
import { sql } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { openData, sealData } from "./data";
import { type Resealed, reseal, type StoredKeyRow, type StoredPosition, toReseal } from "./queries";

/** The keys of a creator: `current` seals, `opening` opens, by number. */
interface Keys {
  current: UserKey;
  opening: ReadonlyMap<number, KeyObject>;
}

/**
 * Seals the data of these creators' keys with each creator's current key, some at a time. All creators after `after` up
 * to `last`: of others, and of data that does not open, nothing changes. Returns how many keys were changed.
 */
export async function resealKeys(creators: ReadonlyMap<string, Keys>, after: string, last: string): Promise<number> {
  let changed = 0;
  for (let position: StoredPosition | string = after; ; await turnOfOthers()) {
    const rows: StoredKeyRow[] = await sql.read(toReseal(position, last));
    const end = rows.at(-1);
    if (!end) return changed;
    const resealed = rows.flatMap((row) => resealedRow(row, creators.get(row.creatorId)));
    if (resealed.length > 0) changed += await sql.write((tx) => tx.write(reseal(resealed)));
    position = end;
  }
}

function resealedRow(row: StoredKeyRow, keys: Keys | undefined): Resealed[] {
  if (!keys) return [];
  const plain = plainData(row, keys);
  if (plain === undefined) return [];
  const { data, sealedWith } = sealData(row, plain, keys.current);
  return [[row.id, row.creatorId, row.storedData, data, sealedWith]];
}

/** Undefined if it does not open: `doctor` names it. */
function plainData(row: StoredKeyRow, { opening }: Keys): string | undefined {
  if (row.sealedWith === null) return row.storedData;
  const key = opening.get(row.sealedWith);
  try {
    return key && openData(row, key);
  } catch {
    return undefined;
  }
}
