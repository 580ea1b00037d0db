import { db } from "@/lib/db/client";
import { plainText } from "./read-document";

const USERS_AT_ONCE = 100;

/** Reads every stored document to its end, verifies each piece's CRC, and yields a sentence for each damaged one. */
export async function* damagedDocuments(): AsyncGenerator<{ userId: string; problem: string }> {
  for (let after = ""; ; ) {
    const documents = await db.fileDocument.findMany({
      where: { userId: { gt: after } },
      orderBy: { userId: "asc" },
      take: USERS_AT_ONCE,
      select: { userId: true, version: true },
    });
    for (const { userId, version } of documents) {
      const problem = await problemOf(userId, version);
      if (problem) yield { userId, problem };
    }
    const last = documents.at(-1);
    if (!last) return;
    after = last.userId;
  }
}

async function problemOf(userId: string, version: number): Promise<string | null> {
  const row = await db.fileVersion.findUnique({ where: { userId_version: { userId, version } } });
  if (!row) return "its newest version is missing";
  const document = {
    ...row,
    plainLength: Number(row.plainLength),
    gzipLength: Number(row.gzipLength),
    crc: Number(row.crc),
    openedAt: Date.now(),
  };
  try {
    let length = 0;
    for await (const text of plainText(document)) length += text.length;
    return length === document.plainLength ? null : "its length differs from the stored one";
  } catch (error) {
    return (error as Error).message;
  }
}
