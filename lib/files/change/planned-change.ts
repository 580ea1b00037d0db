import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import type { Quotas } from "@/lib/quotas";
import type { ListChange } from "../document/child-list";
import { type EntryFacts, type FileOwner, FOLDER, USERS } from "../document/entry";
import { foldCase } from "../document/fold-case";
import { entryText, folderValues } from "../document/new-entry";
import { pathOf } from "../document/paths";
import { overQuota } from "../errors";
import { type IndexedDocument, indexedDocument } from "../index/indexed-document";
import { IndexKeys, newIndexSpace } from "../index/keys";
import { END } from "../pieces/gzip";
import { trimVersions } from "../pieces/kept-versions";
import { blocksOf } from "../pieces/outline";
import { type PieceFacts, totalsOf } from "../pieces/piece";
import { deleteIndex } from "../pieces/remove";
import type { OpenVersion } from "../pieces/take";
import { Appender, type Select } from "./appender";
import { ChangeBase } from "./base";
import { DraftWriter } from "./draft-writer";
import type { DocumentEdit } from "./entry-edit";
import { publishVersion } from "./publish";
import { Rewriter } from "./rewriter";

/** Something added after all other entries. */
type Addition =
  | { text: Buffer }
  | { version: OpenVersion; blocks: PieceFacts[][]; select: Select }
  | { draftId: string; head: Buffer; pieces: PieceFacts[]; tail: Buffer; facts: EntryFacts };

/** A change of a document: it is planned first, then all of it is done in one new version. */
export class PlannedChange extends ChangeBase {
  /** The edit of each entry, by its head. Undefined: unchanged. */
  edit: DocumentEdit["edit"] = () => undefined;
  /** The pieces in which entries begin that `edit` changes. */
  readonly touched = new Set<string>();
  /** By case-folded folder path. */
  private readonly lists = new Map<string, { add: string[]; remove: Set<string> }>();
  private readonly additions: Addition[] = [];

  private constructor(
    user: FileOwner,
    document: IndexedDocument,
    readonly now: Date,
  ) {
    super(user, document);
  }

  static async begin(user: FileOwner, now: Date): Promise<PlannedChange> {
    const indexSpace = newIndexSpace();
    const nothing = { userId: user.id, version: 0, indexSpace, keys: new IndexKeys(indexSpace) };
    return new PlannedChange(user, (await indexedDocument(user.id)) ?? nothing, now);
  }

  /**
   * Plans a change to a folder's list, and so to its edit time. `pieceIds`: the pieces of the folders with this path.
   */
  list(
    path: string,
    pieceIds: readonly string[],
    change: { add?: readonly string[]; remove?: readonly string[] },
  ): void {
    const folder = foldCase(path);
    const list = this.lists.get(folder) ?? { add: [], remove: new Set() };
    this.lists.set(folder, list);
    for (const id of change.add ?? []) list.add.push(id);
    for (const id of change.remove ?? []) list.remove.add(id);
    for (const id of pieceIds) this.touched.add(id);
  }

  add(addition: Addition): void {
    this.additions.push(addition);
  }

  /** Whether nothing was planned. */
  get isEmpty(): boolean {
    return this.touched.size === 0 && this.additions.length === 0;
  }

  /**
   * Writes the new version and publishes it. Throws as `publishVersion` does, and 403 `files_limit`. Returns its
   * number.
   */
  async publish(draftId: string): Promise<number> {
    const { userId, version, keys, indexSpace } = this.document;
    const old = await this.outline();
    const writer = new DraftWriter({ id: draftId, userId });
    try {
      const lists: ReadonlyMap<string, ListChange> = this.lists;
      const rewriter = new Rewriter({
        version: this.base,
        keys,
        writer,
        edit: { edit: this.edit, lists, now: this.now },
      });
      await rewriter.run(blocksOf(old), this.touched, this.additions.length > 0);
      const kept = old.filter(({ id }) => !rewriter.retired.has(id));
      const adopted = await this.append(writer, kept, rewriter.keptBack);
      await writer.flush();
      const pieces = [...kept, ...writer.pieces, ...adopted.pieces].sort((a, b) => (a.position < b.position ? -1 : 1));
      const totals = totalsOf(pieces);
      const replaces = { version, pieces: old.filter(({ id }) => rewriter.retired.has(id)) };
      const published = await publishVersion(
        {
          userId,
          drafts: [draftId, ...adopted.drafts],
          totals,
          replaces,
          indexSpace,
          checkQuotas: (most) => checkQuotas(most, totals, totalsOf(old)),
        },
        this.now,
      );
      // Nobody lists an old version: its rows would only be skipped.
      await deleteIndex(replaces.pieces.map(({ id }) => id));
      await trimVersions(userId);
      return published;
    } finally {
      writer.close();
    }
  }

  private async append(writer: DraftWriter, kept: readonly PieceFacts[], keptBack: Buffer | undefined) {
    const adopted = { drafts: [] as string[], pieces: [] as PieceFacts[] };
    if (this.additions.length === 0) return adopted;
    const last = [...kept, ...writer.pieces].reduce((most, { position }) => (position > most ? position : most), 0n);
    const appender = new Appender(writer, this.document.keys, last);
    if (this.document.version === 0) await appender.text(this.root());
    if (keptBack) await appender.text(keptBack);
    for (const addition of this.additions) {
      if ("text" in addition) await appender.text(addition.text);
      else if ("blocks" in addition) await appender.copies(addition.version, addition.blocks, addition.select);
      else {
        const { by, pieces } = await appender.around(addition.head, addition.pieces, addition.tail, addition.facts);
        await db.filePiece.updateMany({ where: { draftId: addition.draftId }, data: { position: { increment: by } } });
        adopted.drafts.push(addition.draftId);
        adopted.pieces.push(...pieces);
      }
    }
    await appender.finish();
    return adopted;
  }

  /** The first entry of a user's first document. */
  private root(): Buffer {
    const head = { type: FOLDER, name: this.user.username, location: USERS, id: newId() };
    return entryText(folderValues(head, this.user, this.now, this.lists.get(foldCase(pathOf(head)))?.add), true);
  }
}

/** A change that frees space is allowed even beyond the quota. */
function checkQuotas(
  { entries, fileBytes: bytes }: Quotas,
  totals: { entries: number; plainLength: number },
  before: { entries: number; plainLength: number },
): void {
  if (totals.entries > Math.max(entries, before.entries))
    throw overQuota(entries, "files and folders in all, and this would be more");
  if (totals.plainLength + END.length > Math.max(bytes, before.plainLength + END.length))
    throw overQuota(bytes, "bytes in all, and this would need more");
}
