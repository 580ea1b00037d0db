import { Mutex } from "async-mutex";
import { db } from "@/lib/db/client";
import { noFiles } from "@/lib/errors";
import { EntryScanner } from "../document/entry-scanner";
import { pieceTexts, publishedVersion } from "../pieces/published";
import { type IndexEntry, indexEntry } from "./entry-row";
import { IndexKeys, isIndexSpace, newIndexSpace } from "./keys";
import { insertIndex } from "./write-rows";

/** The user's current document according to the index. Version 0: nothing was stored yet. */
export interface IndexedDocument {
  userId: string;
  version: number;
  indexSpace: string;
  keys: IndexKeys;
}

/** One at a time in this process: reading a document is costly. */
const indexing = new Mutex();

/** The user's document. If its index is missing or in an older format, it is rebuilt now. */
export async function indexedDocument(userId: string): Promise<IndexedDocument | undefined> {
  for (;;) {
    const document = await db.fileDocument.findUnique({ where: { userId } });
    if (!document) return undefined;
    if (isIndexSpace(document.indexSpace))
      return { ...document, indexSpace: document.indexSpace, keys: new IndexKeys(document.indexSpace) };
    await indexing.runExclusive(() => indexDocument(userId));
  }
}

/** How often a read is retried because of concurrent changes. */
const MOST_READINGS = 5;

/**
 * Runs `work` on the user's document so that it reads the index of a single version, unless the document changes all
 * the time. Returns undefined if nothing was stored yet.
 */
export async function atOneVersion<T>(
  userId: string,
  work: (document: IndexedDocument) => Promise<T>,
): Promise<T | undefined> {
  for (let reading = 1; ; reading++) {
    const document = await indexedDocument(userId);
    if (!document) return undefined;
    const result = await work(document);
    if (reading === MOST_READINGS || (await indexedDocument(userId))?.version === document.version) return result;
  }
}

/** Two processes that do this concurrently write the same rows. */
async function indexDocument(userId: string): Promise<void> {
  const before = await db.fileDocument.findUnique({ where: { userId } });
  if (!before || isIndexSpace(before.indexSpace)) return;
  const indexSpace = newIndexSpace(userId);
  const document = await publishedVersion(userId);
  if (!document) throw noFiles();
  const keys = new IndexKeys(indexSpace);
  const found: IndexEntry[] = [];
  /** Where the pieces that hold the current entry begin. */
  let open: { id: string; offset: number }[] = [];
  const scanner = new EntryScanner({
    entry(entry) {
      const piece = open.findLast(({ offset }) => offset <= entry.from);
      if (piece) found.push(indexEntry(keys, { pieceId: piece.id, start: entry.from - piece.offset }, entry));
    },
  });
  for await (const { id, offset, text } of pieceTexts(document)) {
    open = scanner.place === 0 ? [{ id, offset }] : [...open.slice(0, 1), { id, offset }];
    scanner.push(text);
    await insertIndex(found.splice(0));
  }
  await db.fileDocument.updateMany({
    where: { userId, version: document.version, indexSpace: before.indexSpace },
    data: { indexSpace },
  });
}
