import { sql } from "@/lib/db/client";
import { turnOfOthers } from "@/lib/turn-of-others";
import { entriesInOrder, RANKS, type RangeEntry, standingOf } from "../index/folder-order";
import { nodesInFolders } from "../index/rows";
import type { ChangeBase } from "./base";

/** Rows per result, and folders per statement. */
const SEEN_AT_ONCE = 500;
const FOLDERS_AT_ONCE = 100;
/** After this many statements, it is cheaper to look at every piece of the document. */
const MOST_STATEMENTS = 2_000;

/** An index entry: the piece in which it begins and, for a folder, its path's key. */
export interface Node {
  pieceId: string;
  pathKey: string | null;
}

/**
 * The pieces in which these entries or entries below them begin. May be all pieces if many folders are below them.
 * Throws what `tooMany` returns if these are more than `most` entries.
 */
export async function piecesBelow(
  change: ChangeBase,
  entries: readonly Node[],
  bound?: { most: number; tooMany: () => Error },
): Promise<ReadonlySet<string>> {
  const pieces = new Set<string>();
  const known = new Set<string>();
  const waiting: string[] = [];
  let taken = 0;
  const take = (nodes: readonly Node[]) => {
    taken += nodes.length;
    if (bound && taken > bound.most) throw bound.tooMany();
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
    if (++statements > MOST_STATEMENTS && !bound) return new Set((await change.outline()).map(({ id }) => id));
    if (statements > 1) await turnOfOthers();
    const folders = waiting.slice(-together);
    const found = await inside(change.document.userId, folders);
    if (found.length > SEEN_AT_ONCE && folders.length > 1) {
      together = Math.ceil(folders.length / 2);
      continue;
    }
    waiting.length -= folders.length;
    if (found.length > SEEN_AT_ONCE)
      for await (const nodes of insideLarge(change.document.userId, folders[0] ?? "")) take(nodes);
    else take(found);
    together = FOLDERS_AT_ONCE;
  }
  return pieces;
}

/** The entries in these folders, or enough of them to show that one statement does not return all. */
async function inside(userId: string, folders: readonly string[]): Promise<Node[]> {
  const rows = await sql.read(nodesInFolders(folders, SEEN_AT_ONCE + 1));
  return rows.length > SEEN_AT_ONCE ? rows : rows.filter(({ owner }) => owner === userId);
}

/** The entries of a large folder, in batches. */
async function* insideLarge(userId: string, parentKey: string): AsyncGenerator<Node[]> {
  for (const rank of RANKS)
    for (let last: RangeEntry | undefined; ; ) {
      const after = last && standingOf(last, "name");
      const rows = await entriesInOrder(userId, {
        parentKey,
        sort: "name",
        descending: false,
        rank,
        after,
        limit: SEEN_AT_ONCE,
      });
      yield rows.filter(({ isLive }) => isLive);
      last = rows.at(-1);
      if (rows.length < SEEN_AT_ONCE) break;
      await turnOfOthers();
    }
}
