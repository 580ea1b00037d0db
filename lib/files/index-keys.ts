import { hash } from "node:crypto";

const PATH_KEY_CHARACTERS = 16;
/** Into so many parts the entries of a document, and those of a folder, are divided to be found. */
const BUCKETS = 64;
/** How many bits tell the documents' buckets apart: what documents share, only takes longer. */
const SPACE_BYTES = 5;

/**
 * The keys of one document's index entries. Each has the document's own space in it, so that equal documents of many
 * users do not meet in one place of the index.
 */
export class IndexKeys {
  private readonly firstBucket: number;
  /** The entries of a folder mostly follow one another. */
  private lastPath = "";
  private lastKey = "";

  constructor(private readonly space: string) {
    this.firstBucket = hash("sha256", `buckets ${space}`, "buffer").readUIntBE(0, SPACE_BYTES) * BUCKETS;
  }

  /** 96 bits of the path's SHA-256: among two million, two are alike once in 10^16 documents. */
  ofPath(path: string): string {
    // Text that is no Unicode would be hashed as if all of its halves of characters were the same one.
    return hash("sha256", `${this.space} ${path.isWellFormed() ? path : JSON.stringify(path)}`, "base64url").slice(0, PATH_KEY_CHARACTERS);
  }

  /** The key of what lies in the folder with this path. */
  ofParent(path: string): string {
    if (path !== this.lastPath) this.lastKey = this.ofPath(path);
    this.lastPath = path;
    return this.lastKey;
  }

  /** The bucket of the entry with this id. */
  bucketOf(id: string): number {
    return this.firstBucket + (Number.parseInt(id.slice(-2), 16) % BUCKETS);
  }
}

/** The bucket of the entries with this name among those of a folder. */
export function nameBucket(name: string): number {
  let sum = 0;
  for (let i = 0; i < name.length; i++) sum = Math.imul(sum, 31) + name.charCodeAt(i);
  return (sum >>> 0) % BUCKETS;
}
