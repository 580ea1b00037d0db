import { env } from "@/lib/env";
import { DocumentReader } from "./document-reader";
import { beginDraft, POSITIONS_APART, publishVersion, totalsOf } from "./draft";
import { DraftWriter } from "./draft-writer";
import { EntryRules } from "./entry-rules";
import { draftLost, filesLimit } from "./errors";
import { giveUp } from "./give-up";
import { END } from "./gzip";
import { admitted } from "./import-places";
import { EntriesRefused, ImportReport, type ReportedImport } from "./import-report";
import { IndexKeys, newIndexSpace } from "./index-keys";
import { JsonScanner } from "./json-scanner";
import { trimVersions } from "./kept-versions";
import { LateEntries } from "./late-entries";
import { PieceWriter } from "./piece-writer";
import { leaveRoom } from "./room";
import type { FilesSummary } from "./summary";

export interface ImportOptions {
  now?: Date;
  /** Where the document comes from: one network has only some of the places. Unset where nobody vouches for it. */
  network?: string;
  leaving?: Leaving;
}

/** How much is read before other requests get their turn. */
const SLICE_BYTES = 64 * 1024;

/** What was stored, and what is to be said of it. */
export type Imported = FilesSummary & ReportedImport;

/** Which imports may leave out what cannot be imported: none, any, or the one that leaves out just so many entries, because a person has seen which. */
export type Leaving = "nothing" | "any" | number;

/**
 * Replaces all that `user` has stored by the document whose JSON text `source` yields (contract, section 3), value for
 * value, but for the user's name in the root's name and the locations. All or nothing: readers have the former document
 * until the new one is complete, and keep it where `source` fails. Holds a few pieces in memory, however large the document is.
 *
 * Throws 400 `invalid_document`, 400 `entries_refused` with a report of all that cannot be imported, where that may not be left
 * out, 403 `files_limit`, 409 `draft_lost`, as `admitted` does, or what `source` throws.
 */
export async function importDocument(
  user: { id: string; username: string },
  source: AsyncIterable<Uint8Array>,
  { now = new Date(), network, leaving = "nothing" }: ImportOptions = {},
): Promise<Imported> {
  const draft = { id: await beginDraft(user.id), userId: user.id };
  const indexSpace = newIndexSpace();
  const keys = new IndexKeys(indexSpace);
  const written = new DraftWriter(draft);
  const writer = new PieceWriter(written, keys, () => POSITIONS_APART * BigInt(written.pieces.length + 1));
  const [rules, report, late] = [new EntryRules(user.username), new ImportReport(), new LateEntries(draft, keys)];
  const reader = new DocumentReader(writer, late, rules, report);
  const scanner = new JsonScanner(reader);
  let imported: Imported | undefined;
  const complete = async () => {
    scanner.finish();
    reader.finish();
    await writer.finish();
    await late.settle(written, rules, report);
    await written.flush();
    const reported = report.of(reader.entries);
    if (report.left > 0 && leaving !== "any" && leaving !== report.left) throw new EntriesRefused(reported);
    const totals = totalsOf(written.pieces);
    checkRoom(totals.plainLength + END.length);
    await publishVersion({ userId: user.id, drafts: [draft.id], totals, replaces: "all", indexSpace }, now);
    await trimVersions(user.id);
    imported = { entries: totals.entries, bytes: totals.plainLength + END.length, ...reported };
  };
  try {
    // A place is needed for as long as there is work, not only while the document arrives.
    for await (const chunk of admitted(user.id, source, { network, complete }))
      for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
        await leaveRoom();
        scanner.push(chunk.subarray(from, from + SLICE_BYTES));
        await writer.store();
        await late.store();
      }
    if (!imported) throw draftLost();
    return imported;
  } catch (refused) {
    await giveUp(draft.id);
    throw refused;
  } finally {
    written.close();
    late.close();
  }
}

/** A longer name in all locations makes a document longer than it came. */
function checkRoom(bytes: number): void {
  const most = env.FILE_BYTES_PER_USER;
  if (bytes > most) throw filesLimit(`There is room for ${most.toLocaleString("en")} bytes, and the document would need more. Nothing was changed.`);
}
