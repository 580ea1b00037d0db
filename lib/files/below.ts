import { bytesStatement, Prisma } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import type { DocumentChange } from "./document-change";
import { entriesInOrder, RANKS, type RangeEntry, standingOf } from "./folder-order";
import { OWNER } from "./index-rows";

/** Rows that one statement answers, and folders that one asks for. */
const SEEN_AT_ONCE = 2_000;
const FOLDERS_AT_ONCE = 100;
/** After so many statements it costs less to look at every piece of the document. */
const MOST_STATEMENTS = 500;

/** An entry of the index: the piece that it begins in, and its path's key where it is a folder. */
export interface Node {
  pieceId: string;
  pathKey: string | null;
}

/** The pieces in which these entries or ones below them begin; perhaps all pieces, where many folders are below them. */
export async function piecesBelow(change: DocumentChange, entries: readonly Node[]): Promise<ReadonlySet<string>> {
  const pieces = new Set<string>();
  const known = new Set<string>();
  const waiting: string[] = [];
  const take = (nodes: readonly Node[]) => {
    for (const { pieceId, pathKey } of nodes) {
      pieces.add(pieceId);
      if (pathKey === null || known.has(pathKey)) continue;
      known.add(pathKey);
      waiting.push(pathKey);
    }
  };
  take(entries);
  let statements = 0;
  let together = FOLDERS_AT_ONCE;
  while (waiting.length > 0) {
    if (++statements > MOST_STATEMENTS) return new Set((await change.outline()).map(({ id }) => id));
    if (statements > 1) await turnOfOthers();
    const folders = waiting.slice(-together);
    const found = await inside(change.document.userId, folders);
    if (found.length > SEEN_AT_ONCE && folders.length > 1) {
      together = Math.ceil(folders.length / 2);
      continue;
    }
    waiting.length -= folders.length;
    if (found.length > SEEN_AT_ONCE) for await (const nodes of insideLarge(change.document.userId, folders[0] ?? "")) take(nodes);
    else take(found);
    together = FOLDERS_AT_ONCE;
  }
  return pieces;
}

/** What lies in these folders, or so much of it that there is more than one statement answers. */
async function inside(userId: string, folders: readonly string[]): Promise<Node[]> {
  const rows = await bytesStatement(Prisma.sql`
    SELECT e."pieceId", e."pathKey", ${OWNER} FROM "FileEntry" e WHERE e."parentKey" IN (${Prisma.join([...folders])}) LIMIT ${SEEN_AT_ONCE + 1}`);
  if (rows.length > SEEN_AT_ONCE) return rows.map(node);
  return rows.filter(([, , owner]) => owner === userId).map(node);
}

function node([pieceId, pathKey]: readonly unknown[]): Node {
  return { pieceId: String(pieceId), pathKey: pathKey === null ? null : String(pathKey) };
}

/** What lies in a folder with much in it, some at a time. */
async function* insideLarge(userId: string, parentKey: string): AsyncGenerator<Node[]> {
  for (const rank of RANKS)
    for (let last: RangeEntry | undefined; ; ) {
      const after = last && standingOf(last, "name");
      const rows = await entriesInOrder(userId, { parentKey, sort: "name", descending: false, rank, after, limit: SEEN_AT_ONCE });
      yield rows.filter(({ isLive }) => isLive);
      last = rows.at(-1);
      if (rows.length < SEEN_AT_ONCE) break;
      await turnOfOthers();
    }
}
