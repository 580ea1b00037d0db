import { db } from "@/lib/db/client";

/** What an operator may see of a key: never its data. */
export interface KeyFacts {
  id: string;
  name: string;
  price: string;
  /** Size of its data in bytes. */
  bytes: number;
  creatorId: string;
  creator: string;
  createdAt: Date;
  updatedAt: Date;
  holders: number;
}

/** A key without its data, or null if there is none with this id. */
export async function keyFacts(keyId: string): Promise<KeyFacts | null> {
  const key = await db.key.findUnique({
    where: { id: keyId },
    select: {
      id: true,
      name: true,
      price: true,
      dataBytes: true,
      creatorId: true,
      createdAt: true,
      updatedAt: true,
      creator: { select: { username: true } },
    },
  });
  if (!key) return null;
  const { dataBytes, creator, ...facts } = key;
  // With the key, the holders of every key would be counted.
  const holders = await db.holder.count({ where: { keyId } });
  return { ...facts, bytes: dataBytes, creator: creator.username, holders };
}
