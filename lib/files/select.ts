import { createHash } from "node:crypto";
import { sql } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { pace, turnOfOthers } from "@/lib/platform/event-loop";
import { entryAt, piecesBelow } from "./change/located";
import { ChangeBase } from "./change/publish";
import { entriesOfBlock } from "./change/scan";
import { type FileOwner, USERS } from "./document/entry";
import { DataEnd, entrySpans, type Span } from "./document/entry-scanner";
import { noFiles, noSuchEntry } from "./errors";
import { indexEntry } from "./index/entry";
import { atOneVersion, entriesById, type IndexedDocument } from "./index/find";
import { type EntryPlace, placesInPiece, type StoredIndexEntry } from "./index/queries";
import { inListingTurn } from "./list";
import { Damaged, END, withEnd } from "./pieces/gzip";
import { type Block, blocksOf, outlineOf, type PieceFacts, totalsOf } from "./pieces/piece";
import { type OpenVersion, textOfPiece, textsOfPieces } from "./pieces/read";
import { publishedVersion, type StoredDocument } from "./pieces/versions";
import { isSettled, reported } from "./read";
import { type Choice, isEntryId } from "./schema";

/** Some entries of one version, as the text of a document. */
interface Selection {
  /** Differs for another selection and for another version. */
  etag: string;
  /** Bytes of the text. Undefined without the data of files: it is known only once all pieces were read. */
  length: number | undefined;
  /** All bytes or, if their length is known, `first` to `last`. Throws in the middle rather than end early. */
  bytes(first?: number, last?: number): AsyncGenerator<Uint8Array>;
  isSettled: boolean;
}

/** A piece of which something was selected: `spans` are what is taken of it. */
type Part = PieceFacts & { spans: Span[]; at: number; length: number };

/**
 * Throws 404 `no_files`, 404 `no_such_entry`, 400 `invalid_parameter` if `under` is a file, and then also as
 * `inListingTurn` does: the index of a large folder takes seconds.
 */
export async function openSelection(user: FileOwner, choice: Choice, signal?: AbortSignal): Promise<Selection> {
  checkChoice(choice);
  const work = () => open(user, choice);
  return choice.under === undefined ? work() : inListingTurn(user.id, signal, work);
}

async function open(user: FileOwner, choice: Choice): Promise<Selection> {
  const opened = await atOneVersion(user.id, async (document) => ({
    document,
    version: await publishedVersion(user.id),
    entry: await entryOf(user, document, choice),
  }));
  if (!opened?.version) throw noFiles();
  const { document, version, entry } = opened;
  const { path, id, under } = choice;
  const isIndex = choice.only !== undefined;
  if (!entry && (path ?? id ?? under) !== undefined) throw noSuchEntry();
  if (under !== undefined && entry?.pathKey === null)
    throw invalidParameter("The parameter under names a file, not a folder.");
  const outline = await outlineOf(user.id, version.version);
  const { plainLength, crc } = totalsOf(outline);
  if (plainLength + END.length !== version.plainLength || withEnd(crc) !== version.crc) throw new Damaged();
  // Everything is below the root.
  const isAll = !entry || (under !== undefined && entry.parentKey === document.indexKeys.ofPath(USERS));
  const parts = !isAll
    ? await partsOf(document, version, await selected({ user, document, version, entry, under }, outline))
    : outline.map(wholeOf);
  let length = END.length;
  for (const part of parts) {
    part.at = length - END.length;
    length += part.length;
  }
  if (length === END.length) throw new Damaged();
  const kind = `${under === undefined ? "" : "under "}${isIndex ? "index" : ""}`;
  return {
    etag: createHash("sha256").update(`${version.etag} ${kind} ${entry?.entryId}`).digest("base64url"),
    length: isIndex ? undefined : length,
    isSettled: await isSettled(version),
    bytes: (first = 0, last = length - 1) =>
      reported(version, isIndex ? framed(indexOf(version, parts)) : textOf(version, parts, { first, last, length })),
  };
}

function checkChoice({ path, id, under, only }: Choice): void {
  if ([path, id, under].filter((one) => one !== undefined).length > 1)
    throw invalidParameter("Only one of the parameters path, id and under can be sent.");
  if (only !== undefined && (path ?? id) !== undefined)
    throw invalidParameter("The parameter only can be combined with under, not with path or id.");
}

/** The entry that was asked for, if there is one. */
async function entryOf(
  user: FileOwner,
  document: IndexedDocument,
  { path, id, under }: Choice,
): Promise<StoredIndexEntry | undefined> {
  const [byPath, byId] = [path ?? under, id ?? under];
  const entry = byPath === undefined ? undefined : await entryAt(new ChangeBase(user, document), byPath);
  if (entry || byId === undefined || !isEntryId(byId)) return entry;
  return (await entriesById(document, [byId]))[0];
}

interface Sought {
  user: FileOwner;
  document: IndexedDocument;
  version: StoredDocument;
  entry: StoredIndexEntry;
  under: string | undefined;
}

/** Finding an entry below a folder takes ten times as long as reading it with all others of its piece. */
const PART_LOOKED_UP = 10;

/** The blocks in which selected entries may be, and which entries of them are. */
async function selected({ user, document, version, entry, under }: Sought, outline: readonly PieceFacts[]) {
  const { entryId, pieceId, pathKey } = entry;
  const blocks = blocksOf(outline);
  if (under === undefined)
    return {
      blocks: blocks.filter(([piece]) => piece.id === pieceId),
      isSelected: (one: EntryPlace) => one.entryId === entryId,
    };
  const folders = new Set([pathKey]);
  const max = Math.floor(totalsOf(outline).entries / PART_LOOKED_UP);
  const pieces = await piecesBelow(new ChangeBase(user, document), [entry], { max });
  // After a change meanwhile, they may be pieces of several versions.
  const isCurrent = (await publishedVersion(user.id))?.version === version.version;
  return {
    blocks: isCurrent ? blocks.filter(([piece]) => pieces.has(piece.id)) : blocks,
    isSelected: (one: EntryPlace) => {
      const isBelow = folders.has(one.parentKey) || one.entryId === entryId;
      if (isBelow && one.pathKey !== null) folders.add(one.pathKey);
      return isBelow;
    },
  };
}

async function partsOf(
  document: IndexedDocument,
  version: OpenVersion,
  { blocks, isSelected }: { blocks: readonly Block[]; isSelected: (entry: EntryPlace) => boolean },
): Promise<Part[]> {
  const parts: Part[] = [];
  for (const block of blocks) {
    const [piece, ...rest] = block;
    const entries = await entriesIn(document, version, block);
    const spans: Span[] = [];
    for (const [n, entry] of entries.entries()) {
      if (!isSelected(entry)) continue;
      const to = entries[n + 1]?.start ?? piece.plainLength;
      const last = spans.at(-1);
      if (last?.to === entry.start) last.to = to;
      else spans.push({ from: entry.start, to });
    }
    if (spans.length === 0) continue;
    parts.push(partOf(piece, spans), ...rest.map(wholeOf));
    await turnOfOthers();
  }
  return parts;
}

function partOf(piece: PieceFacts, spans: Span[]): Part {
  return { ...piece, spans, at: 0, length: spans.reduce((sum, { from, to }) => sum + to - from, 0) };
}

const wholeOf = (piece: PieceFacts) => partOf(piece, [{ from: 0, to: piece.plainLength }]);

/** The entries of a block by the index, or by its text if a change has removed their rows meanwhile. */
async function entriesIn({ indexKeys }: IndexedDocument, version: OpenVersion, block: Block): Promise<EntryPlace[]> {
  const [piece] = block;
  const rows = await sql.read(placesInPiece(piece.id));
  if (rows.length === piece.entries) return rows;
  const entries = await entriesOfBlock(version, block);
  return entries.map((entry) => indexEntry(indexKeys, { pieceId: piece.id, start: entry.from }, entry));
}

const OPEN = Buffer.from("[");
const NULL = Buffer.from("null");

/** The bytes `first` to `last` of what was selected. */
async function* textOf(
  version: OpenVersion,
  parts: readonly Part[],
  { first, last, length }: { first: number; last: number; length: number },
): AsyncGenerator<Uint8Array> {
  const sought = parts.filter((part) => part.at <= last && part.at + part.length > first);
  let n = 0;
  for await (const text of textsOfPieces(version, sought)) {
    const part = sought[n++];
    if (!part) throw new Damaged();
    const bytes = Buffer.concat(part.spans.map(({ from, to }) => text.subarray(from, to)));
    if (part.at === 0) OPEN.copy(bytes);
    yield bytes.subarray(Math.max(0, first - part.at), last + 1 - part.at);
  }
  if (last === length - 1) yield END;
}

/** Texts of entries, each with its separator, as the text of a document. */
async function* framed(texts: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const text of texts) {
    if (isFirst) yield OPEN;
    yield isFirst ? text.subarray(1) : text;
    isFirst = false;
  }
  yield END;
}

async function* indexOf(version: OpenVersion, parts: readonly Part[]): AsyncGenerator<Buffer> {
  const blocks = blocksOf(parts);
  // The middle of an entry of several pieces is mostly a file's data, which an index does not have.
  const outer = blocks.flatMap((block) => (block.length > 2 ? [...block.slice(0, 1), ...block.slice(-1)] : block));
  const texts = textsOfPieces(version, outer);
  const nextText = async (): Promise<Buffer> => {
    const { value } = await texts.next();
    if (!value) throw new Damaged();
    return value;
  };
  const turn = pace();
  try {
    for (const block of blocks) {
      const text = await nextText();
      if (block.length > 1) yield* indexOfLarge(version, block, [text, await nextText()]);
      else yield indexOfPiece(text, block[0].spans);
      await turn();
    }
  } finally {
    await texts.return(undefined);
  }
}

function indexOfPiece(text: Buffer, spans: readonly Span[]): Buffer {
  const texts: Buffer[] = [];
  for (const { from: begin, to: end } of spans) {
    let from = begin;
    for (let at = from; at < end; ) {
      const { isFolder, data, to } = entrySpans(text, at);
      at = to;
      if (isFolder) continue;
      texts.push(text.subarray(from, data.from), NULL);
      from = data.to;
    }
    texts.push(text.subarray(from, end));
  }
  return Buffer.concat(texts);
}

/** An entry of several pieces, of which the first and the last are read, without reading others that are only data. */
async function* indexOfLarge(
  version: OpenVersion,
  block: Block<Part>,
  [begin, end]: readonly [Buffer, Buffer],
): AsyncGenerator<Buffer> {
  const middle = block.slice(1, -1);
  const { isFolder, data } = entrySpans(begin, 0);
  if (isFolder) {
    yield begin;
    yield* textsOfPieces(version, middle);
    yield end;
    return;
  }
  yield Buffer.concat([begin.subarray(0, data.from), NULL]);
  const behindData = new DataEnd();
  for (let n = middle.length; n >= -1; n--) {
    const piece = middle[n];
    const isLast = n === middle.length;
    const text = isLast ? end : piece ? await textOfPiece(version, piece) : begin.subarray(data.from);
    const from = behindData.before(text);
    if (from === undefined) continue;
    yield text.subarray(from);
    if (isLast) return;
    yield* textsOfPieces(version, middle.slice(n + 1));
    yield end;
    return;
  }
  throw new Damaged();
}
