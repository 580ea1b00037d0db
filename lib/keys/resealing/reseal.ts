import type { KeyObject } from "node:crypto";
import { sql } from "@/lib/db/client";
import type { UserKey } from "@/lib/sealing/user-keys";
import { turnOfOthers } from "@/lib/turn-of-others";
import { openData, sealData } from "../sealed-data";
import { type PlaceOfKey, type Resealed, reseal, type StoredKeyRow, toReseal } from "./rows";

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
  for (let place: PlaceOfKey | string = after; ; await turnOfOthers()) {
    const rows: StoredKeyRow[] = await sql.read(toReseal(place, last));
    const end = rows.at(-1);
    if (!end) return changed;
    const resealed = rows.flatMap((row) => resealedRow(row, creators.get(row.creatorId)));
    if (resealed.length > 0) changed += await sql.write((tx) => tx.write(reseal(resealed)));
    place = end;
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
