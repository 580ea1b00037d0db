import { crc32 } from "node:zlib";
import { currentUserKey } from "@/lib/platform/crypto/user-keys";
import { db, type Statements, sql } from "@/lib/platform/db/client";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import { insert } from "@/lib/platform/db/statement";
import { env } from "@/lib/platform/env";
import { newId } from "@/lib/platform/ids";
import { log } from "@/lib/platform/log";
import { changedMeanwhile, draftLost } from "../errors";
import { insertIndex, MAX_ROWS } from "../index/entry";
import { entriesOfPiece } from "../index/find";
import type { IndexEntry } from "../index/queries";
import { PieceDeflater } from "../pieces/gzip";
import { PIECES_AT_ONCE, type PieceFacts, POSITIONS_APART, withMask } from "../pieces/piece";
import { contentOf, type PieceContent } from "../pieces/read";
import { sealContent } from "../pieces/seal";
import { removePieces } from "../pieces/versions";

/** A piece to be stored. */
type PieceToStore = PieceFacts & { content: Uint8Array };

/**
 * Begins a draft: the parts of a new version before anybody can see it. Whoever begins one must publish or discard
 * it. One that gets no additions for an hour is swept.
 */
export async function beginDraft(userId: string): Promise<string> {
  const id = newId();
  await db.fileDraft.create({ data: { id, userId, refreshedAt: new Date() } });
  return id;
}

/** Adds pieces to a draft. Throws 409 `draft_lost` if it was swept. */
export async function addPieces(draftId: string, userId: string, pieces: readonly PieceToStore[]): Promise<void> {
  if (pieces.length === 0) return;
  const rows = pieces.map(({ content: _, ...facts }) => ({ ...facts, userId, draftId }));
  // No transaction: nobody sees a draft, and an incomplete one cannot be published.
  await refreshDrafts(db, [draftId], new Date());
  await db.filePiece.createMany({ data: rows });
  const userKey = env.SEAL_FILES ? await currentUserKey(userId) : undefined;
  const contents = pieces.map(({ id, content }) =>
    userKey
      ? sealContent(userId, { pieceId: id, deflated: content }, userKey)
      : { pieceId: id, deflated: content, sealedWith: null },
  );
  await sql.batch([insert("FileContent", contents)]);
}

/** Marks these drafts as still in use. Throws 409 `draft_lost` if one was swept. */
export async function refreshDrafts(statements: Statements, ids: readonly string[], now: Date): Promise<void> {
  const { count } = await statements.fileDraft.updateMany({
    where: { id: { in: [...ids] }, refreshedAt: { not: null } },
    data: { refreshedAt: now },
  });
  if (count < ids.length) throw draftLost();
}

/**
 * Discards a draft. The sweep removes later what cannot be removed now; the caller must see why the write failed, not
 * this error.
 */
export async function discardDraft(draftId: string): Promise<void> {
  try {
    await evenOnFullDisk(async () => {
      await db.fileDraft.updateMany({ where: { id: draftId }, data: { refreshedAt: null } });
      await removeDraft(draftId);
    });
  } catch (error) {
    log.warn({ err: error }, "a failed write left pieces for the sweep");
  }
}

/** Removes an abandoned draft and its pieces. Returns the number of pieces. */
export async function removeDraft(draftId: string): Promise<number> {
  const removed = await removePieces({ draftId });
  await db.fileDraft.deleteMany({ where: { id: draftId, refreshedAt: null } });
  return removed;
}

/** Writes pieces and their entries' index to a draft, in small batches. */
export class DraftWriter {
  /** The pieces written, as stored. */
  pieces: PieceFacts[] = [];
  private readonly deflater = new PieceDeflater();
  private waiting: PieceToStore[] = [];
  private index: IndexEntry[] = [];

  constructor(private readonly draft: { id: string; userId: string }) {}

  /** Adds a piece. Its text may be reused once this resolves. */
  async add(
    { id, text, entries, position }: { id: string; text: Buffer; entries: number; position: bigint },
    index: readonly IndexEntry[] = [],
  ): Promise<void> {
    const deflated = await this.deflater.deflate(text);
    const { length: plainLength } = text;
    await this.put({ id, position, entries, plainLength }, { deflated, crc: crc32(text) }, index);
  }

  /** Adds a piece with the same text as a stored one. */
  async addCopy(
    source: PieceFacts,
    { id, position }: { id: string; position: bigint },
    index: readonly IndexEntry[] = [],
  ): Promise<void> {
    const content = await contentOf(this.draft.userId, source);
    // It was swept meanwhile.
    if (!content) throw changedMeanwhile();
    const { entries, plainLength } = source;
    await this.put({ id, position, entries, plainLength }, content, index);
  }

  /** Adds index entries of added pieces. */
  async addIndex(index: readonly IndexEntry[]): Promise<void> {
    for (const entry of index) this.index.push(entry);
    // Objects that wait longer survive V8's short collections and stay in memory until its next long one.
    if (this.index.length >= MAX_ROWS) await this.flush();
  }

  /** Removes added pieces that have no entries in the index. */
  async drop(ids: readonly string[]): Promise<void> {
    const dropped = new Set(ids);
    this.waiting = this.waiting.filter(({ id }) => !dropped.has(id));
    this.pieces = this.pieces.filter(({ id }) => !dropped.has(id));
    for (let from = 0; from < ids.length; from += PIECES_AT_ONCE)
      await db.filePiece.deleteMany({
        where: { draftId: this.draft.id, id: { in: ids.slice(from, from + PIECES_AT_ONCE) } },
      });
  }

  /** Writes everything added so far. */
  async flush(): Promise<void> {
    const pieces = this.waiting;
    this.waiting = [];
    await addPieces(this.draft.id, this.draft.userId, pieces);
    // Entries refer to their piece, which must be written first.
    const index = this.index;
    this.index = [];
    await insertIndex(index);
  }

  close(): void {
    this.deflater.close();
  }

  private async put(
    facts: Omit<PieceFacts, "deflatedLength" | "crc">,
    { deflated, crc: ofText }: PieceContent,
    index: readonly IndexEntry[],
  ): Promise<void> {
    const { crc, content } = withMask(ofText, deflated);
    const piece = { ...facts, deflatedLength: deflated.length, crc };
    this.waiting.push({ ...piece, content });
    this.pieces.push(piece);
    await this.addIndex(index);
    if (this.waiting.length >= PIECES_AT_ONCE) await this.flush();
  }
}

/** A new piece, with the index of the entries that begin in it. */
export interface NewPiece {
  id: string;
  text: Buffer;
  entries: number;
  index: IndexEntry[];
}

/** The successor of a piece: others in its position, last one first; or the piece itself. */
export type Successor = NewPiece | { copy: PieceFacts; id: string; index: IndexEntry[] };

/** Assigns positions to new pieces, at the positions of those that they come from. */
export class PieceReplacer {
  /** Pieces that are no longer part of the document. */
  readonly retired = new Set<string>();
  /** Pieces still without a position because there was no space before the next piece, and from which position on. */
  private carried: Successor[] = [];
  private start = 0n;

  constructor(private readonly writer: DraftWriter) {}

  /** Whether pieces wait for space after the next piece. */
  get isCarrying(): boolean {
    return this.carried.length > 0;
  }

  /**
   * Positions the successors of `piece` between it and `next`. Without successors the piece stays, unless pieces were
   * carried up to it.
   */
  async replace(
    piece: PieceFacts,
    successors: readonly Successor[] | undefined,
    next: PieceFacts | undefined,
  ): Promise<void> {
    if (!successors && this.carried.length === 0) return;
    if (this.carried.length === 0) this.start = piece.position;
    this.carried.push(...(successors ?? [await this.copyOf(piece)]));
    this.retired.add(piece.id);
    const space = next ? next.position - this.start : POSITIONS_APART * BigInt(this.carried.length + 1);
    if (BigInt(this.carried.length) > space) return;
    const step = space / BigInt(this.carried.length || 1);
    for (const [at, successor] of this.carried.entries()) await this.write(successor, this.start + step * BigInt(at));
    this.carried = [];
  }

  private async copyOf(piece: PieceFacts): Promise<Successor> {
    const id = newId();
    const rows = await entriesOfPiece(piece.id);
    return { copy: piece, id, index: rows.map((row) => ({ ...row, pieceId: id })) };
  }

  private write(successor: Successor, position: bigint): Promise<void> {
    const { writer } = this;
    if ("copy" in successor) return writer.addCopy(successor.copy, { id: successor.id, position }, successor.index);
    return writer.add({ ...successor, position }, successor.index);
  }
}
