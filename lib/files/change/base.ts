import type { FileOwner } from "../document/entry";
import { changedMeanwhile } from "../errors";
import type { IndexedDocument } from "../index/indexed-document";
import { outlineOf } from "../pieces/outline";
import type { EntryPlace, PieceFacts } from "../pieces/piece";
import type { OpenVersion } from "../pieces/take";

/** A folder that a change concerns. */
export interface FolderAt {
  path: string;
  /** The parentKey of its children. */
  key: string;
  place: EntryPlace | undefined;
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
