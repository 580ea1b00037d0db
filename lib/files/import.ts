import { crc32 } from "node:zlib";
import { log } from "@/lib/log";
import { DocumentReader } from "./document-reader";
import { addPieces, beginDraft, discardDraft, publishDraft } from "./draft";
import { PieceDeflater } from "./gzip";
import { JsonScanner } from "./json-scanner";
import { type DeflatedPiece, type Piece, PieceCutter } from "./pieces";
import type { FilesSummary } from "./summary";
import { removeDraft } from "./sweep";

/** How much is read before other requests get their turn. */
const SLICE_BYTES = 64 * 1024;
/** How many pieces are written in one statement: about a megabyte. */
const PIECES_AT_ONCE = 4;

/**
 * Replaces all that `user` has stored by the document whose JSON text `source` yields (contract, section 3), value for
 * value, but for the user's name in the root's name and the locations. All or nothing: readers have the former document
 * until the new one is complete, and keep it where `source` fails. Holds a few pieces in memory, however large the document is.
 *
 * Throws 400 `invalid_document`, 403 `files_limit`, 409 `draft_lost`, or what `source` throws.
 */
export async function importDocument(user: { id: string; username: string }, source: AsyncIterable<Uint8Array>, now: Date = new Date()): Promise<FilesSummary> {
  const draft = await beginDraft(user.id);
  const cutter = new PieceCutter();
  const reader = new DocumentReader(user.username, cutter);
  const scanner = new JsonScanner(reader);
  const deflater = new PieceDeflater();
  const waiting: Piece[] = [];

  const store = async (least: number) => {
    waiting.push(...cutter.take());
    while (waiting.length >= least && waiting.length > 0) {
      const pieces = waiting.splice(0, PIECES_AT_ONCE);
      const stored: DeflatedPiece[] = [];
      for (const { text, entries } of pieces) stored.push({ deflated: await deflater.deflate(text), entries, plainLength: text.length, crc: crc32(text) });
      await addPieces(draft, stored);
      cutter.giveBack(pieces);
    }
  };
  try {
    for await (const chunk of source)
      for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
        scanner.push(chunk.subarray(from, from + SLICE_BYTES));
        await store(PIECES_AT_ONCE);
      }
    scanner.finish();
    reader.finish();
    cutter.finish();
    await store(1);
    await publishDraft(draft, now);
  } catch (refused) {
    await giveUp(draft.id);
    throw refused;
  } finally {
    deflater.close();
  }
  return { entries: draft.entries, bytes: reader.bytes + 1 };
}

/** What cannot be removed now, the sweep removes later; why the import failed is what its caller must hear. */
async function giveUp(draftId: string): Promise<void> {
  try {
    await discardDraft(draftId);
    await removeDraft(draftId);
  } catch (error) {
    log.warn({ err: error }, "an import that failed leaves pieces for the sweep");
  }
}
