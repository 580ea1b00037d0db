import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import type { TestUser } from "../support/user";

type Owner = Pick<TestUser, "id"> & Partial<TestUser>;

/**
 * Keys of `creator` that `holder` holds, three of the same millisecond, and their ids, oldest first. Written as rows:
 * making 10,000 one by one would take long.
 */
export async function makeKeys(creator: Owner, holder: Owner, count: number, data = "data"): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const at = new Date(1_700_000_000_000 + Math.floor((from + index) / 3));
      return {
        id: newId(),
        creatorId: creator.id,
        name: "",
        data,
        dataBytes: Buffer.byteLength(data),
        price: "1",
        createdAt: at,
        updatedAt: at,
      };
    });
    await db.key.createMany({ data: rows });
    await db.holder.createMany({
      data: rows.map(({ id, createdAt }) => ({
        keyId: id,
        userId: holder.id,
        since: createdAt,
        keyCreatedAt: createdAt,
      })),
    });
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
