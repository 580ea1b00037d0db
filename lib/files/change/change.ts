import { setTimeout as sleep } from "node:timers/promises";
import { db } from "@/lib/platform/db/client";
import { requireFreeSpace } from "@/lib/platform/db/free-space";
import { evenOnFullDisk } from "@/lib/platform/db/reserve";
import { ApiError } from "@/lib/platform/errors";
import { foldCase } from "@/lib/platform/fold-case";
import { newId } from "@/lib/platform/ids";
import type { Quotas } from "@/lib/platform/limits/quotas";
import { perProcess } from "@/lib/platform/process";
import { Queue } from "@/lib/platform/queue";
import { type FileOwner, FOLDER, pathOf, USERS } from "../document/entry";
import { entryText, folderValues, type ListChange } from "../document/splices";
import { overQuota } from "../errors";
import { IndexKeys, newIndexSpace } from "../index/entry";
import { type IndexedDocument, indexedDocument } from "../index/find";
import { END } from "../pieces/gzip";
import { type Block, blocksOf, type PieceFacts, totalsOf } from "../pieces/piece";
import type { OpenVersion } from "../pieces/read";
import { deleteIndex, trimVersions } from "../pieces/versions";
import { beginDraft, DraftWriter, discardDraft } from "./draft";
import { ChangeBase, type FolderAt, publishVersion } from "./publish";
import { Appender, type EntryAround, Rewriter, type Select } from "./rewriter";
import type { DocumentEdit } from "./scan";

/** Something added after all other entries. */
type Addition =
  | { text: Buffer }
  | { version: OpenVersion; blocks: Block[]; select: Select }
  | (EntryAround & { draftId: string });

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
    const nothing = { userId: user.id, version: 0, indexSpace, indexKeys: new IndexKeys(indexSpace) };
    return new PlannedChange(user, (await indexedDocument(user.id)) ?? nothing, now);
  }

  /** Plans a change to a folder's list, and so to its edit time. */
  list({ path, pieceIds }: FolderAt, change: { add?: readonly string[]; remove?: readonly string[] }): void {
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
    const { userId, version, indexKeys, indexSpace } = this.document;
    const old = await this.outline();
    const writer = new DraftWriter({ id: draftId, userId });
    try {
      const lists: ReadonlyMap<string, ListChange> = this.lists;
      const rewriter = new Rewriter({
        version: this.base,
        indexKeys,
        writer,
        edit: { edit: this.edit, lists, now: this.now },
      });
      await rewriter.run(blocksOf(old), this.touched, this.additions.length > 0);
      const unchanged = old.filter(({ id }) => !rewriter.retired.has(id));
      const adopted = await this.append(writer, unchanged, rewriter.deferred);
      await writer.flush();
      const pieces = [...unchanged, ...writer.pieces, ...adopted.pieces].sort((a, b) =>
        a.position < b.position ? -1 : 1,
      );
      const totals = totalsOf(pieces);
      const replaces = { version, pieces: old.filter(({ id }) => rewriter.retired.has(id)) };
      const published = await publishVersion(
        {
          userId,
          drafts: [draftId, ...adopted.drafts],
          totals,
          replaces,
          indexSpace,
          checkQuotas: (quotas) => checkQuotas(quotas, totals, totalsOf(old)),
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

  private async append(writer: DraftWriter, unchanged: readonly PieceFacts[], deferred: Buffer | undefined) {
    const adopted = { drafts: [] as string[], pieces: [] as PieceFacts[] };
    if (this.additions.length === 0) return adopted;
    const last = [...unchanged, ...writer.pieces].reduce((max, { position }) => (position > max ? position : max), 0n);
    const appender = new Appender(writer, this.document.indexKeys, last);
    if (this.document.version === 0) await appender.text(this.root());
    if (deferred) await appender.text(deferred);
    for (const addition of this.additions) {
      if ("text" in addition) await appender.text(addition.text);
      else if ("blocks" in addition) await appender.copies(addition.version, addition.blocks, addition.select);
      else {
        const { by, pieces } = await appender.around(addition);
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
    const children = this.lists.get(foldCase(pathOf(head)))?.add;
    return entryText(folderValues(head, this.user, { now: this.now, children }), true);
  }
}

/** A change that frees space is allowed even beyond the quota. */
function checkQuotas(
  { entries, fileBytes: bytes }: Quotas,
  totals: { entries: number; plainLength: number },
  before: { entries: number; plainLength: number },
): void {
  if (totals.entries > Math.max(entries, before.entries))
    throw overQuota(entries, "entry", " in all, and this would be more");
  if (totals.plainLength + END.length > Math.max(bytes, before.plainLength + END.length))
    throw overQuota(bytes, "byte", " in all, and this would need more");
}

/** How often a change is retried because another process changed the document concurrently. */
const MAX_ATTEMPTS = 20;

/** Waiting changes per user. */
const MAX_WAITING = 100;

/** One change at a time of each user's document. */
const turns = perProcess(
  "changes of files",
  () => new Queue({ ofName: [{ count: 1 }] }, { ofName: [{ count: MAX_WAITING }], refusal: () => tooManyChanges() }),
);

/**
 * Changes the user's document in one step: `plan` reads the newest version and plans the change, which becomes one new
 * version or nothing. Concurrent changes run one after the other; `plan` is rerun on the result of the other. Throws
 * what `plan` throws, 403 `files_limit`, 507 `storage_full`, 429 `too_many_changes`, and 409 `changed_meanwhile` if
 * others were always faster.
 */
export async function changeDocument<T>(
  user: FileOwner,
  now: Date,
  plan: (change: PlannedChange) => Promise<T>,
): Promise<T> {
  await requireFreeSpace();
  return change(user, now, plan);
}

/** The same for changes that free space: they need a little themselves, which is reserved for them. */
export const changeOnFullDisk: typeof changeDocument = (...of) => evenOnFullDisk(() => change(...of));

function change<T>(user: FileOwner, now: Date, plan: (change: PlannedChange) => Promise<T>): Promise<T> {
  return turns.run([user.id], async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const change = await PlannedChange.begin(user, now);
        const result = await plan(change);
        if (!change.isEmpty) await publish(change);
        return result;
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(error instanceof ApiError) || error.code !== "changed_meanwhile") throw error;
        await sleep(Math.random() * 20 * attempt);
      }
    }
  });
}

async function publish(change: PlannedChange): Promise<void> {
  const draft = await beginDraft(change.user.id);
  try {
    await change.publish(draft);
  } catch (error) {
    await discardDraft(draft);
    throw error;
  }
}

const tooManyChanges = () =>
  new ApiError(
    429,
    "too_many_changes",
    "Too many changes to your files are waiting. Nothing was changed; try again in a moment.",
    {
      headers: {
        "Retry-After": "2",
      },
    },
  );
