import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { Appender, type Select } from "./append";
import type { ListChange } from "./child-list";
import { type PieceFacts, publishVersion, totalsOf } from "./draft";
import { DraftWriter } from "./draft-writer";
import type { DocumentEdit } from "./entry-edit";
import { FOLDER, USERS } from "./entry-rules";
import { entryText, folderValues } from "./entry-text";
import { changedMeanwhile, filesLimit } from "./errors";
import { foldCase } from "./fold-case";
import type { FolderAt } from "./folder-at";
import { END } from "./gzip";
import { type IndexedDocument, indexedDocument } from "./index-document";
import type { EntryFacts } from "./index-entry";
import { IndexKeys, newIndexSpace } from "./index-keys";
import { deleteIndex } from "./index-rows";
import { trimVersions } from "./kept-versions";
import { blocksOf, outlineOf } from "./outline";
import { pathOf } from "./places";
import { Rewriter } from "./rewrite";
import type { OpenVersion } from "./stored-pieces";

export interface FileOwner {
  id: string;
  username: string;
}

/** Something that comes behind all other entries. */
type Addition =
  | { text: Buffer }
  | { version: OpenVersion; blocks: PieceFacts[][]; select: Select }
  | { draftId: string; head: Buffer; pieces: PieceFacts[]; tail: Buffer; facts: EntryFacts };

/** A change of a document: what is to be done is said first, then all of it is done in one new version. */
export class DocumentChange {
  /** What entries become, by their heads. Undefined: they stay. */
  edit: DocumentEdit["edit"] = () => undefined;
  /** The pieces in which entries begin that `edit` changes. */
  readonly touched = new Set<string>();
  /** Folders that were looked for, by their paths without their case. */
  readonly parents = new Map<string, Promise<FolderAt>>();
  /** By the folders' paths without their case. */
  private readonly lists = new Map<string, { add: string[]; remove: Set<string> }>();
  private pieces: PieceFacts[] | undefined;
  private byId: ReadonlyMap<string, PieceFacts> | undefined;
  private readonly additions: Addition[] = [];

  private constructor(
    readonly user: FileOwner,
    readonly document: IndexedDocument,
    readonly now: Date,
  ) {}

  static async begin(user: FileOwner, now: Date): Promise<DocumentChange> {
    const indexSpace = newIndexSpace();
    const nothing = { userId: user.id, version: 0, indexSpace, keys: new IndexKeys(indexSpace) };
    return new DocumentChange(user, (await indexedDocument(user.id)) ?? nothing, now);
  }

  /** Says that a folder's list changes, and so when it was edited. `pieceIds`: where the folders of this path are. */
  list(path: string, pieceIds: readonly string[], change: { add?: readonly string[]; remove?: readonly string[] }): void {
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

  /** Whether nothing is to be done. */
  get isEmpty(): boolean {
    return this.touched.size === 0 && this.additions.length === 0;
  }

  /** The version that this is a change of, to be read from. */
  get base(): OpenVersion {
    return { userId: this.user.id, version: this.document.version, openedAt: Date.now() };
  }

  /** All pieces of the version that this is a change of. */
  async outline(): Promise<PieceFacts[]> {
    const { userId, version } = this.document;
    this.pieces ??= version === 0 ? [] : await outlineOf(userId, version);
    return this.pieces;
  }

  /** Throws 409 `changed_meanwhile` where it is not of that version. */
  async piece(id: string): Promise<PieceFacts> {
    this.byId ??= new Map((await this.outline()).map((piece) => [piece.id, piece]));
    const piece = this.byId.get(id);
    if (!piece) throw changedMeanwhile();
    return piece;
  }

  /** Writes the new version and publishes it. Throws as `publishVersion` does, and 403 `files_limit`. Answers its number. */
  async publish(draftId: string): Promise<number> {
    const { userId, version, keys, indexSpace } = this.document;
    const old = await this.outline();
    const writer = new DraftWriter({ id: draftId, userId });
    try {
      const lists: ReadonlyMap<string, ListChange> = this.lists;
      const rewriter = new Rewriter({ version: this.base, keys, writer, edit: { edit: this.edit, lists, now: this.now } });
      await rewriter.run(blocksOf(old), this.touched, this.additions.length > 0);
      const kept = old.filter(({ id }) => !rewriter.retired.has(id));
      const adopted = await this.append(writer, kept, rewriter.keptBack);
      await writer.flush();
      const pieces = [...kept, ...writer.pieces, ...adopted.pieces].sort((a, b) => (a.position < b.position ? -1 : 1));
      const totals = totalsOf(pieces);
      checkQuota(totals, totalsOf(old));
      const replaces = { version, pieces: old.filter(({ id }) => rewriter.retired.has(id)) };
      const published = await publishVersion({ userId, drafts: [draftId, ...adopted.drafts], totals, replaces, indexSpace }, this.now);
      // Nobody lists an old version: its rows would only be passed over.
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

  /** The first entry of a first document. */
  private root(): Buffer {
    const head = { type: FOLDER, name: this.user.username, location: USERS, id: newId() };
    return entryText(folderValues(head, this.user, this.now, this.lists.get(foldCase(pathOf(head)))?.add), true);
  }
}

/** What takes room away is allowed to who has too much already. */
function checkQuota(totals: { entries: number; plainLength: number }, before: { entries: number; plainLength: number }): void {
  const { FILE_ENTRIES_PER_USER: entries, FILE_BYTES_PER_USER: bytes } = env;
  if (totals.entries > Math.max(entries, before.entries))
    throw filesLimit(`There is room for ${entries.toLocaleString("en")} files and folders in all, and this would be more. Nothing was changed.`);
  if (totals.plainLength + END.length > Math.max(bytes, before.plainLength + END.length))
    throw filesLimit(`There is room for ${bytes.toLocaleString("en")} bytes in all, and this would need more. Nothing was changed.`);
}
