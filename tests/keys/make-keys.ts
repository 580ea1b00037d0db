import { sql } from "@/lib/platform/db/client";
import { insert } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";

interface Owner {
  id: string;
}

/**
 * Keys of `creator` that `holder` holds, three of the same millisecond, and their ids, oldest first. Written as rows:
 * making 10,000 one by one would take long.
 */
export async function makeKeys(creator: Owner, holder: Owner, count: number, data = "data"): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const at = new Date(1_700_000_000_000 + Math.floor((from + index) / 3));
      const size = { data, dataBytes: Buffer.byteLength(data) };
      return { id: newId(), creatorId: creator.id, name: "", ...size, price: "1", createdAt: at, updatedAt: at };
    });
    const held = rows.map(({ id, createdAt }) => ({
      keyId: id,
      userId: holder.id,
      since: createdAt,
      keyCreatedAt: createdAt,
    }));
    await sql.write(async (tx) => {
      await tx.write(insert("Key", rows));
      await tx.write(insert("Holder", held));
    });
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
