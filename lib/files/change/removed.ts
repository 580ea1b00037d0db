import { turnOfOthers } from "@/lib/platform/event-loop";
import { type EntryHead, FOLDER, isSameLocation, LOCATION, pathOf, USERS } from "../document/entry";
import { EntryScanner, FolderFinder } from "../document/entry-scanner";
import { blocksOf, type PieceFacts, piecesOf, type VersionedPiece } from "../pieces/piece";
import { type OpenVersion, textOfPiece } from "../pieces/read";
import { inSlices, scanLarge } from "./scan";

/** The id at the end of an entry's text; ids contain neither quotes nor backslashes. */
const ID_AT_END = /"([^"\\]+)"$/;

interface StoredVersion {
  userId: string;
  version: number;
}

/** What a version no longer has of the one before it. */
interface Removed {
  /** The entries that are not below another removed one, in the document's order. */
  heads: EntryHead[];
  /** Whether these are all of them. */
  isAll: boolean;
}

/**
 * The entries that the version after this one no longer has, from the pieces that it replaced; `pieces` are those of
 * all versions. With `maxBlocks`, only so many replaced ones are read, and twice as many new ones: entries that moved
 * further may be among the result. Undefined if all was replaced by another document.
 */
export async function removedAfter(
  { userId, version }: StoredVersion,
  pieces: readonly VersionedPiece[],
  maxBlocks = Number.POSITIVE_INFINITY,
): Promise<Removed | undefined> {
  const retired = blocksOf(piecesOf(version, pieces)).filter((block) =>
    block.some(({ retiredVersion }) => retiredVersion === version + 1),
  );
  const read = retired.slice(0, maxBlocks);
  const end = retired[maxBlocks]?.[0]?.position;
  const born = blocksOf(piecesOf(version + 1, pieces))
    .filter(
      (block) =>
        block.some(({ bornVersion }) => bornVersion === version + 1) &&
        (end === undefined || block.every(({ position }) => position < end)),
    )
    .slice(0, 2 * maxBlocks);
  const removed = new Map((await headsIn(open(userId, version), read)).map((head) => [head.id, head]));
  for (const { id } of await headsIn(open(userId, version + 1), born)) removed.delete(id);
  const all = [...removed.values()];
  if (all.some(({ location }) => isSameLocation(location, USERS))) return undefined;
  const folders = new FolderFinder(all.filter(({ type }) => type === FOLDER).map((head) => [pathOf(head), true]));
  return { heads: all.filter(({ location }) => !folders.find(location)), isAll: read.length === retired.length };
}

const open = (userId: string, version: number): OpenVersion => ({ userId, version, openedAt: performance.now() });

async function headsIn(version: OpenVersion, blocks: readonly PieceFacts[][]): Promise<EntryHead[]> {
  const heads: EntryHead[] = [];
  for (const block of blocks) {
    await turnOfOthers();
    for (const head of await headsOfBlock(version, block)) heads.push(head);
  }
  return heads;
}

/** Of a large entry, only its beginning and its end are read. */
async function headsOfBlock(version: OpenVersion, block: readonly PieceFacts[]): Promise<EntryHead[]> {
  const [first] = block;
  if (!first) return [];
  const heads: EntryHead[] = [];
  const scanner = new EntryScanner({
    entry: ({ id, type, name, location }) => heads.push({ id, type, name, location }),
  });
  for await (const slice of inSlices(await textOfPiece(version, first))) scanner.push(slice);
  if (block.length === 1) return heads;
  const ends = await Promise.all(block.slice(-2).map((piece) => textOfPiece(version, piece)));
  const id = ID_AT_END.exec(Buffer.concat(ends).toString("latin1").trimEnd())?.[1];
  if (id === undefined || scanner.position <= LOCATION) return [await scanLarge(version, block)];
  const { type, name, location } = scanner.parts;
  return [{ id, type, name, location }];
}
