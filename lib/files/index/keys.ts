import { hash } from "node:crypto";
import { newId } from "@/lib/ids";
import { foldCase } from "../document/fold-case";
import { typeSortKey } from "./sort-key";

const PATH_KEY_CHARACTERS = 16;
/** The number of buckets that a document's entries are divided into for lookups. */
const BUCKETS = 256;
/** Bytes that separate the documents' buckets: sharing one only costs time. */
const SPACE_BYTES = 5;

/** The prefix of spaces whose keys use case-folded paths. Older indexes are rebuilt. */
const FOLDED = "folded ";

/** The space that the keys of a document's index are made with. */
export function newIndexSpace(of = newId()): string {
  return `${FOLDED}${of}`;
}

/** Whether the keys of this space have the current format. */
export function isIndexSpace(space: string | null): space is string {
  return space?.startsWith(FOLDED) ?? false;
}

/**
 * The keys of one document's index entries. Each contains the document's own space, so that equal documents of many
 * users do not share one part of the index.
 */
export class IndexKeys {
  private readonly firstBucket: number;
  /** The entries of a folder are mostly adjacent. */
  private lastPath = "";
  private lastKey = "";
  private lastType = "";
  private lastTypeKey = "";

  constructor(private readonly space: string) {
    this.firstBucket = hash("sha256", `buckets ${space}`, "buffer").readUIntBE(0, SPACE_BYTES) * BUCKETS;
  }

  /** 96 bits of the SHA-256 of the case-folded path: with two million paths, one in 10^16 documents has a collision. */
  ofPath(path: string): string {
    const folded = foldCase(path);
    // In text that is not well-formed Unicode, all lone surrogates would hash alike.
    return hash(
      "sha256",
      `${this.space} ${folded.isWellFormed() ? folded : JSON.stringify(folded)}`,
      "base64url",
    ).slice(0, PATH_KEY_CHARACTERS);
  }

  /** The parent key of the entries in the folder with this path. */
  ofParent(path: string): string {
    if (path !== this.lastPath) this.lastKey = this.ofPath(path);
    this.lastPath = path;
    return this.lastKey;
  }

  /**
   * The bucket of the entry with this id: a hash with the space, so that nobody can craft ids that all fall into one.
   */
  bucketOf(id: string): number {
    return this.firstBucket + Number.parseInt(hash("sha256", this.space + id, "hex").slice(0, 2), 16);
  }

  /** The sort key for files of this type. */
  ofType(type: string): string {
    if (type !== this.lastType) this.lastTypeKey = typeSortKey(type);
    this.lastType = type;
    return this.lastTypeKey;
  }
}
