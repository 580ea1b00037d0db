import { randomBytes } from "node:crypto";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { isUniqueViolation } from "@/lib/platform/db/errors";
import { lockUser } from "@/lib/platform/db/lock";
import { findQuotas, type Quotas } from "@/lib/platform/limits/quotas";
import type { FileOwner } from "../document/entry";
import { changedMeanwhile } from "../errors";
import type { IndexedDocument } from "../index/find";
import { END, GZIP_FRAME_BYTES, withEnd } from "../pieces/gzip";
import { type EntryPointer, outlineOf, type PieceFacts, type Totals } from "../pieces/piece";
import { LIVE } from "../pieces/queries";
import type { OpenVersion } from "../pieces/read";
import { retiredBytes, retiredBytesOfAll } from "../pieces/versions";
import { refreshDrafts } from "./draft";

/** A folder that a change concerns. */
export interface FolderAt {
  path: string;
  /** The parentKey of its children. */
  pathKey: string;
  pointer: EntryPointer | undefined;
  /** The pieces of all folders with this path. */
  pieceIds: string[];
}

/** The base version of a change, as far as it was read. */
export class ChangeBase {
  /** Folders looked up so far, by case-folded path. */
  readonly parents = new Map<string, Promise<FolderAt>>();
  private pieces: PieceFacts[] | undefined;
  private byId: ReadonlyMap<string, PieceFacts> | undefined;

  constructor(
    readonly user: FileOwner,
    readonly document: IndexedDocument,
  ) {}

  /** The version itself, for reading. */
  get base(): OpenVersion {
    return { userId: this.user.id, version: this.document.version, openedAt: performance.now() };
  }

  /** All its pieces. */
  async outline(): Promise<PieceFacts[]> {
    const { userId, version } = this.document;
    this.pieces ??= version === 0 ? [] : await outlineOf(userId, version);
    return this.pieces;
  }

  /** One of them. Throws 409 `changed_meanwhile` if it is not part of that version. */
  async piece(id: string): Promise<PieceFacts> {
    this.byId ??= new Map((await this.outline()).map((piece) => [piece.id, piece]));
    const piece = this.byId.get(id);
    if (!piece) throw changedMeanwhile();
    return piece;
  }
}

/** Ids per statement. */
const MAX_AT_ONCE = 1_000;

/** A version to be published. */
interface NewVersion {
  userId: string;
  /** The drafts whose pieces become part of it. */
  drafts: readonly string[];
  totals: Totals;
  /** Everything before; or the base version, and which of its pieces are no longer part of the document. */
  replaces: "all" | { version: number; pieces: readonly PieceFacts[] };
  indexSpace: string;
  /**
   * Throws if it is too large for the user's quotas. Called once the document's row is locked, which whoever changes
   * the quotas locks too: so they hold from then on.
   */
  checkQuotas: (quotas: Quotas) => void;
}

/**
 * Makes drafts a part of the user's document. Readers see the old document or the new one; running reads continue with
 * the old one. Returns the new version's number. Throws 409 `draft_lost` if a draft was swept, and 409
 * `changed_meanwhile` if its base version is no longer the newest, and what `checkQuotas` throws.
 */
export function publishVersion(
  { userId, drafts, totals, replaces, indexSpace, checkQuotas }: NewVersion,
  now: Date,
): Promise<number> {
  return transaction(async (tx) => {
    // There may be no row of the document to lock.
    if (replaces === "all" || replaces.version === 0) await lockUser(tx, userId);
    await refreshDrafts(tx, drafts, now);
    const version =
      replaces === "all"
        ? await nextVersion(tx, userId, indexSpace)
        : await versionAfter(tx, userId, { version: replaces.version, indexSpace });
    checkQuotas(await findQuotas(userId, tx));
    const retired = replaces === "all" ? await retiredBytesOfAll(tx, userId) : retiredBytes(replaces.pieces);
    if (replaces === "all")
      await tx.filePiece.updateMany({ where: { userId, ...LIVE }, data: { retiredVersion: version } });
    else
      for (let from = 0; from < replaces.pieces.length; from += MAX_AT_ONCE)
        await tx.filePiece.updateMany({
          where: { userId, ...LIVE, id: { in: replaces.pieces.slice(from, from + MAX_AT_ONCE).map(({ id }) => id) } },
          data: { retiredVersion: version },
        });
    await tx.filePiece.updateMany({
      where: { draftId: { in: [...drafts] } },
      data: { bornVersion: version, draftId: null },
    });
    await tx.fileVersion.create({
      data: {
        userId,
        version,
        publishedAt: now,
        entries: totals.entries,
        plainLength: BigInt(totals.plainLength + END.length),
        gzipLength: BigInt(totals.deflatedLength + GZIP_FRAME_BYTES),
        crc: BigInt(withEnd(totals.crc)),
        etag: randomBytes(12).toString("base64url"),
        retiredBytes: BigInt(retired),
      },
    });
    await tx.fileDraft.deleteMany({ where: { id: { in: [...drafts] } } });
    return version;
  });
}

async function nextVersion(tx: Statements, userId: string, indexSpace: string): Promise<number> {
  const { version } = await tx.fileDocument.upsert({
    where: { userId },
    create: { userId, version: 1, indexSpace },
    update: { version: { increment: 1 }, indexSpace },
    select: { version: true },
  });
  return version;
}

async function versionAfter(
  tx: Statements,
  userId: string,
  { version, indexSpace }: { version: number; indexSpace: string },
): Promise<number> {
  try {
    if (version === 0) await tx.fileDocument.create({ data: { userId, version: 1, indexSpace } });
    else if (
      (await tx.fileDocument.updateMany({ where: { userId, version }, data: { version: version + 1 } })).count === 0
    )
      throw changedMeanwhile();
  } catch (error) {
    throw isUniqueViolation(error) ? changedMeanwhile() : error;
  }
  return version + 1;
}
