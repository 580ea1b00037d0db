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
      _count: { select: { holders: true } },
    },
  });
  if (!key) return null;
  const { dataBytes, creator, _count, ...facts } = key;
  return { ...facts, bytes: dataBytes, creator: creator.username, holders: _count.holders };
}
