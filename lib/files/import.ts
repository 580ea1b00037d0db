import { newId } from "@/lib/ids";
import { DocumentReader } from "./document-reader";
import { beginDraft, POSITIONS_APART, publishVersion, totalsOf } from "./draft";
import { DraftWriter } from "./draft-writer";
import { giveUp } from "./give-up";
import { admitted } from "./import-places";
import { IndexKeys } from "./index-keys";
import { JsonScanner } from "./json-scanner";
import { PieceWriter } from "./piece-writer";
import type { FilesSummary } from "./summary";

/** How much is read before other requests get their turn. */
const SLICE_BYTES = 64 * 1024;

/**
 * Replaces all that `user` has stored by the document whose JSON text `source` yields (contract, section 3), value for
 * value, but for the user's name in the root's name and the locations. All or nothing: readers have the former document
 * until the new one is complete, and keep it where `source` fails. Holds a few pieces in memory, however large the document is.
 *
 * Throws 400 `invalid_document`, 403 `files_limit`, 409 `draft_lost`, as `admitted` does, or what `source` throws.
 */
export async function importDocument(user: { id: string; username: string }, source: AsyncIterable<Uint8Array>, now: Date = new Date()): Promise<FilesSummary> {
  const draft = { id: await beginDraft(user.id), userId: user.id };
  const indexSpace = newId();
  const written = new DraftWriter(draft);
  const writer = new PieceWriter(written, new IndexKeys(indexSpace), () => POSITIONS_APART * BigInt(written.pieces.length + 1));
  const reader = new DocumentReader(user.username, writer.cutter, (place, facts) => writer.found(place, facts));
  const scanner = new JsonScanner(reader);
  try {
    for await (const chunk of admitted(user.id, source))
      for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
        scanner.push(chunk.subarray(from, from + SLICE_BYTES));
        await writer.store();
      }
    scanner.finish();
    reader.finish();
    await writer.finish();
    await written.flush();
    await publishVersion({ userId: user.id, drafts: [draft.id], totals: totalsOf(written.pieces), replaces: "all", indexSpace }, now);
  } catch (refused) {
    await giveUp(draft.id);
    throw refused;
  } finally {
    written.close();
  }
  return { entries: reader.entries, bytes: reader.bytes + 1 };
}
