import type { KeyObject } from "node:crypto";
import { everyKeyOf } from "@/lib/platform/crypto/queries";
import { nameOfKey, openUserKey } from "@/lib/platform/crypto/user-keys";
import { db, sql } from "@/lib/platform/db/client";
import { pace, turnOfOthers } from "@/lib/platform/event-loop";
import { openData } from "./data";
import { keysAfter, type StoredKeyRow, type StoredPosition } from "./queries";

/** A key whose stored data is not as it should be. */
interface DamagedKey {
  id: string;
  creatorId: string;
  /** A sentence. */
  problem: string;
}

/**
 * Opens the data of every key. Leaves out keys whose user's key does not open: who looks for those finds them once, not
 * for every key.
 */
export async function* damagedKeys(): AsyncGenerator<DamagedKey> {
  const breathe = pace();
  for (let position: StoredPosition | string = ""; ; await turnOfOthers()) {
    const rows: StoredKeyRow[] = await sql.read(keysAfter(position));
    const end = rows.at(-1);
    if (!end) return;
    const opening = await openingKeys([...new Set(rows.map(({ creatorId }) => creatorId))]);
    for (const row of rows) {
      const problem = problemOf(row, opening);
      // Its creator may have deleted it meanwhile, and then with the account the key that opens it.
      if (problem && (await isStill(row))) yield { id: row.id, creatorId: row.creatorId, problem };
      await breathe();
    }
    position = end;
  }
}

/** The creators' keys by name, and null for those that do not open. They are not remembered: each is needed once. */
async function openingKeys(creatorIds: readonly string[]): Promise<Map<string, KeyObject | null>> {
  const keys = new Map<string, KeyObject | null>();
  for (const row of await sql.read(everyKeyOf(creatorIds))) keys.set(nameOfKey(row), (await openUserKey(row)) ?? null);
  return keys;
}

function problemOf(row: StoredKeyRow, opening: ReadonlyMap<string, KeyObject | null>): string | undefined {
  const { creatorId: userId, sealedWith, storedData } = row;
  const key = sealedWith === null ? undefined : opening.get(nameOfKey({ userId, number: sealedWith }));
  if (key === null) return undefined;
  if (sealedWith !== null && !key) return "The key that opens the data of a key is missing.";
  try {
    const data = key ? openData(row, key) : storedData;
    return Buffer.byteLength(data) === row.dataBytes ? undefined : "The recorded size of a key's data is wrong.";
  } catch {
    return "The data of a key was changed by something else, and does not open.";
  }
}

const isStill = async ({ id, creatorId, storedData }: StoredKeyRow) =>
  (await db.key.count({ where: { id, creatorId, data: storedData } })) > 0;
