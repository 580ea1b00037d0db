import { randomBytes } from "node:crypto";
import { db } from "@/lib/platform/db/client";
import { turnOfOthers } from "@/lib/platform/event-loop";
import { newId } from "@/lib/platform/ids";
import { copyBytes } from "../document/content";
import { combineCrc, MAX } from "./gzip";
import { ofVersion } from "./queries";

/**
 * The gap between the positions of new pieces: space for others in between, and for 2^43 pieces in a row, more than a
 * document ever gets.
 */
export const POSITIONS_APART = 2n ** 20n;

/** A stored piece without its text. */
export interface PieceFacts {
  id: string;
  position: bigint;
  entries: number;
  plainLength: number;
  deflatedLength: number;
  /** As stored: masked. */
  crc: bigint;
}

/** The columns of `PieceFacts`. */
const PIECE_FACTS = {
  id: true,
  position: true,
  entries: true,
  plainLength: true,
  deflatedLength: true,
  crc: true,
} as const;

/** Where an entry's text begins. */
export interface EntryPointer {
  pieceId: string;
  start: number;
}

/** The totals of a version, without the end of its text. */
export interface Totals {
  entries: number;
  /** Bytes of the pieces. */
  plainLength: number;
  deflatedLength: number;
  /** Of the stored CRCs. */
  crc: number;
}

/** The totals of these pieces, in this order. */
export function totalsOf(pieces: Iterable<PieceFacts>): Totals {
  const totals = { entries: 0, plainLength: 0, deflatedLength: 0, crc: 0 };
  for (const { entries, plainLength, deflatedLength, crc } of pieces) {
    totals.entries += entries;
    totals.plainLength += plainLength;
    totals.deflatedLength += deflatedLength;
    totals.crc = combineCrc(totals.crc, combinable(crc), plainLength);
  }
  return totals;
}

/** At the end of a piece's content, and so sealed with it. */
const MASK_BYTES = 4;
/** Added to a masked CRC. Pieces from before there were masks have a lower one, and no mask. */
const MASKED = 2n ** 32n;

/**
 * The stored forms of a piece's CRC-32 and of its deflated text. In the clear, the CRC would confirm a guess of the
 * text: so it is stored XOR a random mask. CRCs being linear, masked ones are combined as others are, and show whether
 * a piece is missing or out of order without opening one. A CRC that is only sealed would show that after all are sent:
 * a document with two pieces exchanged would arrive in the wrong order (contract, section 3: 500). A mask costs 47 µs
 * of the 9 ms that a piece takes to deflate.
 */
export function withMask(crc: number, deflated: Uint8Array): { crc: bigint; content: Buffer } {
  const mask = randomBytes(MASK_BYTES);
  return { crc: MASKED + BigInt((crc ^ mask.readUInt32LE()) >>> 0), content: Buffer.concat([deflated, mask]) };
}

/** The CRC-32 and the deflated text of a piece, from its opened content. Undefined if that is another's. */
export function withoutMask(
  { crc, deflatedLength }: { crc: bigint; deflatedLength: number },
  content: Uint8Array,
): { crc: number; deflated: Uint8Array } | undefined {
  const maskBytes = crc < MASKED ? 0 : MASK_BYTES;
  if (crc < 0n || crc >= 2n * MASKED || content.length !== deflatedLength + maskBytes) return undefined;
  const [deflated, mask] = [content.subarray(0, deflatedLength), content.subarray(deflatedLength)];
  return { crc: maskBytes ? (combinable(crc) ^ Buffer.from(mask).readUInt32LE()) >>> 0 : Number(crc), deflated };
}

/** What is combined of a stored CRC, for the stored CRC of a version. */
export const combinable = (stored: bigint): number => Number(BigInt.asUintN(32, stored));

/** Pieces that a statement writes or removes: about a megabyte. */
export const PIECES_AT_ONCE = 4;
const LISTED_AT_ONCE = 2_000;

/** A piece, and before which version it is part of the document. */
export type RetiredPiece = PieceFacts & { retiredVersion: number | null };

/** All pieces of a version, in order, without their text. */
export async function outlineOf(userId: string, version: number): Promise<RetiredPiece[]> {
  const pieces: RetiredPiece[] = [];
  for (let after = -1n; ; after = pieces.at(-1)?.position ?? after) {
    const listed = await db.filePiece.findMany({
      where: { userId, position: { gt: after }, ...ofVersion(version) },
      orderBy: { position: "asc" },
      take: LISTED_AT_ONCE,
      select: { ...PIECE_FACTS, retiredVersion: true },
    });
    pieces.push(...listed);
    if (listed.length < LISTED_AT_ONCE) return pieces;
  }
}

/** The same, and from which version on it is. */
export type VersionedPiece = RetiredPiece & { bornVersion: number };

/** The pieces of all stored versions, in order. Versions that are neighbours share most of them. */
export async function versionedPieces(userId: string): Promise<VersionedPiece[]> {
  const pieces: VersionedPiece[] = [];
  for await (const listed of allPieces(userId, { bornVersion: { not: null } }))
    for (const piece of listed) pieces.push({ ...piece, bornVersion: piece.bornVersion ?? 0 });
  return pieces;
}

/** All pieces of a user, also those of drafts, by position, some at a time. */
export async function* allPieces(userId: string, where: { bornVersion?: { not: null } } = {}) {
  // The last piece may be swept meanwhile, so it is not needed to find the next one.
  for (let [position, id] = [-1n, ""]; ; ) {
    const listed = await db.filePiece.findMany({
      where: {
        userId,
        ...where,
        position: { gte: position },
        OR: [{ position: { gt: position } }, { id: { gt: id } }],
      },
      orderBy: [{ position: "asc" }, { id: "asc" }],
      take: LISTED_AT_ONCE,
      select: { ...PIECE_FACTS, bornVersion: true, retiredVersion: true },
    });
    yield listed;
    const last = listed.at(-1);
    if (!last || listed.length < LISTED_AT_ONCE) return;
    ({ position, id } = last);
    await turnOfOthers();
  }
}

/** Of these, the ones of one version. */
export function piecesOf(version: number, pieces: readonly VersionedPiece[]): VersionedPiece[] {
  return pieces.filter(
    ({ bornVersion, retiredVersion }) =>
      bornVersion <= version && (retiredVersion === null || retiredVersion > version),
  );
}

/** All pieces of a draft, as `outlineOf` those of a version. */
export function outlineOfDraft(draftId: string): Promise<PieceFacts[]> {
  return db.filePiece.findMany({ where: { draftId }, orderBy: { position: "asc" }, select: PIECE_FACTS });
}

/** Pieces that contain complete entries: one piece of small entries, or all pieces of a large one. */
export type Block<Stored extends PieceFacts = PieceFacts> = [Stored, ...Stored[]];

/** The blocks of these pieces, of which the first one begins a block. */
export function blocksOf<Stored extends PieceFacts>(pieces: readonly Stored[]): Block<Stored>[] {
  const blocks: Block<Stored>[] = [];
  for (const piece of pieces) {
    const block = blocks.at(-1);
    if (piece.entries === 0 && block) block.push(piece);
    else blocks.push([piece]);
  }
  return blocks;
}

/** A piece is cut at the end of the entry that brings it to this many bytes, and is never larger than `MAX`. */
export const ENOUGH = 192 * 1024;

/** A part of a document's JSON text: complete entries, or a part of an entry larger than a piece. */
interface Piece {
  id: string;
  text: Buffer<ArrayBuffer>;
  /** How many entries begin in it. */
  entries: number;
}

/** Cuts the text of a document, entry after entry, into pieces. */
export class PieceCutter {
  private text = Buffer.allocUnsafeSlow(MAX);
  private length = 0;
  private entries = 0;
  /** The id of the piece being filled, and of the first one that the current entry fills. */
  private id = newId();
  private firstId = this.id;
  /** Where in `text` the current entry begins. */
  private entryStart = 0;
  /** The pieces filled by the current entry. */
  private filled: string[] = [];
  private pieces: Piece[] = [];
  private spare: Buffer<ArrayBuffer>[] = [];

  /** Adds the bytes `from` to `to` of `chunk` to the current entry. */
  write(chunk: Uint8Array, from: number, to: number): void {
    let next = from;
    while (next < to) {
      if (this.length === MAX) this.makeSpace();
      const length = Math.min(to - next, MAX - this.length);
      copyBytes(chunk, next, next + length, this.text, this.length);
      this.length += length;
      next += length;
    }
  }

  /** Completes the current entry and returns where it begins. */
  endEntry(): EntryPointer {
    const isLarge = this.filled.length > 0;
    const pointer = isLarge ? { pieceId: this.firstId, start: 0 } : { pieceId: this.id, start: this.entryStart };
    if (!isLarge) this.entries++;
    if (isLarge || this.length >= ENOUGH) this.cut(this.length);
    this.entryStart = this.length;
    this.filled = [];
    return pointer;
  }

  /** Discards the current entry. Returns the pieces that become invalid: those it has filled. */
  dropEntry(): string[] {
    const dropped = this.filled;
    this.recycle(this.pieces.filter(({ id }) => dropped.includes(id)));
    this.pieces = this.pieces.filter(({ id }) => !dropped.includes(id));
    this.length = this.entryStart;
    this.filled = [];
    return dropped;
  }

  /** Whether this piece can be collected, or has been. */
  isComplete(pieceId: string): boolean {
    return pieceId !== this.id;
  }

  /** The complete pieces. Their memory is the caller's until recycled. */
  collect(): Piece[] {
    const pieces = this.pieces;
    this.pieces = [];
    return pieces;
  }

  /** The system reclaims large blocks of memory late, so they are reused. */
  recycle(pieces: readonly Piece[]): void {
    for (const { text } of pieces) this.spare.push(Buffer.from(text.buffer));
  }

  /** Completes the last piece. More may follow. */
  finish(): void {
    if (this.length > 0) this.cut(this.length);
    this.entryStart = 0;
  }

  /** The entries before the current one become a piece; without any, the beginning of this one does. */
  private makeSpace(): void {
    if (this.entryStart > 0) {
      this.cut(this.entryStart);
    } else {
      if (this.filled.length === 0) {
        this.entries = 1;
        this.firstId = this.id;
      }
      this.filled.push(this.id);
      this.cut(MAX);
    }
    this.entryStart = 0;
  }

  private cut(length: number): void {
    const rest = this.text.subarray(length, this.length);
    this.pieces.push({ id: this.id, text: this.text.subarray(0, length), entries: this.entries });
    this.id = newId();
    this.text = this.spare.pop() ?? Buffer.allocUnsafeSlow(MAX);
    this.text.set(rest);
    this.length = rest.length;
    this.entries = 0;
  }
}

/** Cuts a part of an entry that spans several pieces. The first three values always fit into the first piece. */
export function cutLarge(text: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / MAX) }, (_, n) => text.subarray(n * MAX, (n + 1) * MAX));
}
