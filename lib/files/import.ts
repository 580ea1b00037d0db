import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { findQuotas, type Quotas } from "@/lib/platform/limits/quotas";
import { beginDraft, DraftWriter, discardDraft } from "./change/draft";
import { publishVersion } from "./change/publish";
import { Appender } from "./change/rewriter";
import { inSlices } from "./change/scan";
import { JsonScanner } from "./document/json-scanner";
import { draftLost, EntriesRefused, ImportReport, overQuota, type ReportedImport } from "./errors";
import { admitted, asUtf8 } from "./import/arrival";
import { IncomingDocument } from "./import/document";
import { LateEntries } from "./import/late-entries";
import { EntryRules } from "./import/rules";
import { IndexKeys, newIndexSpace } from "./index/entry";
import type { FilesSummary } from "./list";
import { END } from "./pieces/gzip";
import { totalsOf } from "./pieces/piece";
import { trimVersions } from "./pieces/versions";

interface ImportOptions {
  now?: Date;
  /** The document's source network: one network gets only some of the slots. Unset if unknown. */
  network?: string;
  leaving?: Leaving;
}

/** What was stored, and the report on it. */
export type Imported = FilesSummary & ReportedImport;

/**
 * How many invalid entries an import may skip: none, any number, or exactly this many, because the user has seen which.
 */
export type Leaving = "nothing" | "any" | number;

/**
 * Replaces everything that `user` has stored with the document whose JSON text `source` yields, in UTF-8 or UTF-16
 * (contract, section 3), value for value, except for the user's name in the root's name and the locations. All or
 * nothing: readers get the former document until the new one is complete, and continue with it if `source` fails. Holds
 * a few pieces in memory, however large the document is.
 *
 * Throws 400 `invalid_document`; 400 `entries_refused` with a report, if entries that cannot be imported may not be
 * skipped; 403 `files_limit`, 409 `draft_lost`, as `admitted` does, or what `source` throws.
 */
export async function importDocument(
  user: { id: string; username: string },
  source: AsyncIterable<Uint8Array>,
  { now, network, leaving = "nothing" }: ImportOptions = {},
): Promise<Imported> {
  const quotas = await findQuotas(user.id);
  const draft = { id: await beginDraft(user.id), userId: user.id };
  const indexSpace = newIndexSpace();
  const indexKeys = new IndexKeys(indexSpace);
  const written = new DraftWriter(draft);
  const writer = new Appender(written, indexKeys, 0n);
  const [late, report] = [new LateEntries(draft, indexKeys), new ImportReport()];
  const checks = { rules: new EntryRules(user.username), report };
  const reader = new IncomingDocument({ direct: writer, late }, checks, quotas);
  const scanner = new JsonScanner(reader);
  let imported: Imported | undefined;
  const complete = async () => {
    scanner.finish();
    reader.finish();
    await writer.finish();
    await late.settle(writer, checks);
    await written.flush();
    const reported = report.of(reader.entries);
    if (report.left > 0 && leaving !== "any" && leaving !== report.left) throw new EntriesRefused(reported);
    const totals = totalsOf(written.pieces);
    const checkQuotas = (quotas: Quotas) => checkSize(quotas, totals.entries, totals.plainLength + END.length);
    await publishVersion(
      { userId: user.id, drafts: [draft.id], totals, replaces: "all", indexSpace, checkQuotas },
      now ?? new Date(),
    );
    await trimVersions(user.id);
    imported = { entries: totals.entries, bytes: totals.plainLength + END.length, ...reported };
  };
  try {
    // The slot is held as long as there is work, not only while the document arrives.
    for await (const chunk of admitted(user.id, asUtf8(source), { network, complete }))
      for await (const slice of inSlices(chunk)) {
        await requireFreeSpace();
        scanner.push(slice);
        await writer.store();
        await late.store();
      }
    if (!imported) throw draftLost();
    return imported;
  } catch (refused) {
    await discardDraft(draft.id);
    throw refused;
  } finally {
    written.close();
    late.close();
  }
}

/** A longer name in all locations makes the stored document longer than the received one. */
function checkSize(quotas: Quotas, entries: number, bytes: number): void {
  if (entries > quotas.entries) throw overQuota(quotas.entries, "entry", ", and the document has more");
  if (bytes > quotas.fileBytes) throw overQuota(quotas.fileBytes, "byte", ", and the document would need more");
}
