import { hash } from "node:crypto";
import { newId } from "@/lib/ids";
import { foldCase } from "./fold-case";
import { typeSortKey } from "./sort-key";

const PATH_KEY_CHARACTERS = 16;
/** Into so many parts the entries of a document are divided to be found. */
const BUCKETS = 256;
/** How many bits tell the documents' buckets apart: what documents share, only takes longer. */
const SPACE_BYTES = 5;

/** What the spaces begin with whose keys are made of folded paths. Indexes from before that are made anew. */
const FOLDED = "folded ";

/** What the keys of a document's index are made with. */
export function newIndexSpace(of = newId()): string {
  return `${FOLDED}${of}`;
}

/** Whether the keys of this space are made as they are now. */
export function isIndexSpace(space: string | null): space is string {
  return space?.startsWith(FOLDED) ?? false;
}

/**
 * The keys of one document's index entries. Each has the document's own space in it, so that equal documents of many
 * users do not meet in one place of the index.
 */
export class IndexKeys {
  private readonly firstBucket: number;
  /** The entries of a folder mostly follow one another. */
  private lastPath = "";
  private lastKey = "";
  private lastType = "";
  private lastTypeKey = "";

  constructor(private readonly space: string) {
    this.firstBucket = hash("sha256", `buckets ${space}`, "buffer").readUIntBE(0, SPACE_BYTES) * BUCKETS;
  }

  /** 96 bits of the SHA-256 of the path, without its case: among two million, two are alike once in 10^16 documents. */
  ofPath(path: string): string {
    const folded = foldCase(path);
    // Text that is no Unicode would be hashed as if all of its halves of characters were the same one.
    return hash("sha256", `${this.space} ${folded.isWellFormed() ? folded : JSON.stringify(folded)}`, "base64url").slice(0, PATH_KEY_CHARACTERS);
  }

  /** The key of what lies in the folder with this path. */
  ofParent(path: string): string {
    if (path !== this.lastPath) this.lastKey = this.ofPath(path);
    this.lastPath = path;
    return this.lastKey;
  }

  /** The bucket of the entry with this id: by a hash with the space in it, so that nobody can choose ids that all fall into one. */
  bucketOf(id: string): number {
    return this.firstBucket + Number.parseInt(hash("sha256", this.space + id, "hex").slice(0, 2), 16);
  }

  /** What files of this type are sorted by. */
  ofType(type: string): string {
    if (type !== this.lastType) this.lastTypeKey = typeSortKey(type);
    this.lastType = type;
    return this.lastTypeKey;
  }
}
