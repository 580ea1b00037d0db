import { type ZipPart, zipOf } from "@/lib/platform/zip";
import { locatedAll, piecesBelow } from "./change/located";
import { ChangeBase } from "./change/publish";
import { scanEntries, scanLarge } from "./change/scan";
import { type EntryFacts, type EntryHead, type FileOwner, FOLDER, pathOf } from "./document/entry";
import { SavedPaths } from "./document/saved-paths";
import { entryNotFound, tooManyToZip } from "./errors";
import { atOneVersion } from "./index/find";
import { type Block, blocksOf } from "./pieces/piece";
import { type OpenVersion, textOfPiece, textsOfPieces } from "./pieces/read";
import { contentOf, reported } from "./read";

/** An archive's list of contents is held in memory until its end. */
export const MAX_ZIPPED = 20_000;

/**
 * Files, and folders with everything below them, as a ZIP archive of one version, regardless of concurrent writes. It
 * is produced while being read, in constant memory. Throws 400 `too_many_entries`, 404 `entry_not_found`; later in the
 * middle rather than end early.
 */
export async function zipEntries(user: FileOwner, entryIds: readonly string[]): Promise<AsyncGenerator<Uint8Array>> {
  const archive = await atOneVersion(user.id, async (document) => {
    const base = new ChangeBase(user, document);
    const selected = await locatedAll(base, entryIds);
    const rows = selected.map(({ row }) => row);
    const pieces = await piecesBelow(base, rows, { max: MAX_ZIPPED, tooMany: () => tooManyToZip(MAX_ZIPPED) });
    const blocks = blocksOf(await base.outline()).filter((block) => block.some(({ id }) => pieces.has(id)));
    const paths = new ZipPaths(new Set(entryIds), (path) => document.indexKeys.ofPath(path));
    return { version: base.base, blocks, paths };
  });
  if (!archive) throw entryNotFound();
  return reported(archive.version, zipOf(partsOf(archive.version, archive.blocks, archive.paths)));
}

async function* partsOf(version: OpenVersion, blocks: readonly Block[], paths: ZipPaths) {
  for (const block of blocks) {
    if (block.length > 1) {
      const entry = await scanLarge(version, block);
      yield* partOf(entry, paths, () => textsOfPieces(version, block));
      continue;
    }
    const text = await textOfPiece(version, block[0]);
    for (const entry of await scanEntries(text))
      yield* partOf(entry, paths, () => [text.subarray(entry.from, entry.to)]);
  }
}

function* partOf(
  entry: EntryFacts,
  paths: ZipPaths,
  texts: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Generator<ZipPart> {
  const path = paths.add(entry);
  if (path === undefined) return;
  const edited = dateOf(entry.edited);
  if (path.endsWith("/")) yield { path, edited };
  // Data: URLs are pictures, archives and the like.
  else yield { path, edited, size: entry.size, compress: !entry.isBase64, bytes: contentOf(entry, texts()) };
}

function dateOf(edited: string): Date | undefined {
  const date = new Date(Number(edited));
  return edited !== "null" && Number.isFinite(date.getTime()) ? date : undefined;
}

/**
 * The paths in an archive of selected entries and everything below them. Folders that are nested too deeply are left
 * out, and their contents are in the next folder above. Entries must come after their folders.
 */
export class ZipPaths {
  /** The paths in the archive of the folders so far, by their case-folded paths in the document. */
  private readonly folders = new Map<string, string>();
  private readonly paths = new SavedPaths();

  /** `hashOf` shortens the path of a folder: there may be thousands of long ones. */
  constructor(
    private readonly selected: ReadonlySet<string>,
    private readonly hashOf: (path: string) => string,
  ) {}

  /** The path of an entry, a folder's with "/" at its end; undefined if it is not in the archive. */
  add(head: EntryHead): string | undefined {
    const above = this.folders.get(this.hashOf(head.location)) ?? (this.selected.has(head.id) ? "" : undefined);
    if (above === undefined) return undefined;
    if (head.type !== FOLDER) return this.paths.file(above, head.name, head.type);
    const pathHash = this.hashOf(pathOf(head));
    // Folders whose paths differ only in case are one.
    if (this.folders.has(pathHash)) return undefined;
    const path = this.paths.folder(above, head.name);
    this.folders.set(pathHash, path ?? above);
    return path && `${path}/`;
  }
}
