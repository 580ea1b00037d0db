/** Longest address of all: 64 KiB of key data, percent-encoded (contract, section 1: URL length). */
export const ADDRESS_BYTES = 262_144;
/** Ids and names are all that a path of ours holds; what is in a path is decoded, split and matched, letter by letter. */
export const PATH_BYTES = 8_192;
/** Headers without the address. Browsers send some 25 in 2 KB, proxies add ten; Node's own limit, and that of most proxies, is the same. */
export const HEADER_BYTES = 16_384;
export const HEADER_COUNT = 100;

/** What may be in a body that is read whole: deeper and wider than anything that a page of ours sends. */
export const MAX_DEPTH = 32;
export const MAX_PARTS = 64;

const KB = 1_024;
const MB = 1_024 * KB;

/** Bodies that are arriving, of one network and of all. A browser uploads three parts at a time: 128 is 40 of them behind one address. */
export const BODIES = { ofNetwork: { count: 128, bytes: 128 * MB }, ofAll: { count: 512, bytes: 256 * MB } };

/** What a request may bring. */
export interface Lane {
  methods: readonly string[];
  /** Of the body; 0 where there is none. */
  bodyBytes: number;
  /** The body is read and looked at before Next hears of the request. */
  isWhole: boolean;
  /** What memory it takes while it arrives, where its length is not told. */
  heldBytes: number;
  /** Media types of the body. */
  types?: RegExp;
}

const READ = ["GET", "HEAD", "OPTIONS"];
const withBody = (methods: readonly string[], bodyBytes: number, types?: RegExp): Lane => ({ methods, bodyBytes, isWhole: true, heldBytes: bodyBytes, types });

const page: Lane = { methods: READ, bodyBytes: 0, isWhole: false, heldBytes: 0 };
/** What React sends for an action. */
const ACTION_TYPES = /^(?:text\/plain|multipart\/form-data)\b/i;
const action = withBody(["POST"], 64 * KB, ACTION_TYPES);
/** A key's data is up to 64 KB, and one letter of it up to six bytes of JSON. */
const keyAction = withBody(["POST"], 400 * KB, ACTION_TYPES);
const signIn = withBody([...READ, "POST"], 32 * KB);
const FILE_METHODS = [...READ, "POST", "PUT", "DELETE"];
const fileForm = withBody(FILE_METHODS, 64 * KB);
/** A part of an upload has 4,000,000 bytes; the route says so of one that has a little more. */
const filePart: Lane = { methods: FILE_METHODS, bodyBytes: 4 * MB, isWhole: false, heldBytes: 4 * MB };
/** Stored as it arrives, no faster than that: its own quota bounds it, and eight at once. */
const document: Lane = { methods: FILE_METHODS, bodyBytes: Number.POSITIVE_INFINITY, isWhole: false, heldBytes: 0 };

/** The lane of a request to Next, by the path. `isAction`: a script of React's calls a function of the page. */
export function laneOf(method: string, path: string, isAction: boolean): Lane {
  if (path.startsWith("/api/")) return path.startsWith("/api/auth/") ? signIn : page;
  if (path.startsWith("/files/")) {
    if (path === "/files/import") return document;
    if (method === "PUT" && (path === "/files/uploads" || path.startsWith("/files/uploads/"))) return filePart;
    return fileForm;
  }
  if (!isAction || method !== "POST") return page;
  return path === "/keys" || path.startsWith("/keys/") ? keyAction : action;
}
