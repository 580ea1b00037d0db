import { hash } from "node:crypto";

const ID_BYTES = 16;
const PATH_KEY_CHARACTERS = 16;

/**
 * The keys of one document's index entries. Each has the document's own space in it, so that equal documents of many
 * users do not meet in one place of the index.
 */
export class IndexKeys {
  private readonly mask: Buffer;
  /** The entries of a folder mostly follow one another. */
  private lastPath = "";
  private lastKey = "";

  constructor(private readonly space: string) {
    this.mask = hash("sha256", `ids ${space}`, "buffer").subarray(0, ID_BYTES);
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

  /** The id can be read back from the key. */
  ofEntry(id: string): string {
    return this.masked(Buffer.from(id, "hex")).toString("base64url");
  }

  entryId(key: string): string {
    return this.masked(Buffer.from(key, "base64url")).toString("hex");
  }

  private masked(bytes: Buffer): Buffer {
    for (let i = 0; i < ID_BYTES; i++) bytes[i] = (bytes[i] ?? 0) ^ (this.mask[i] ?? 0);
    return bytes;
  }
}
