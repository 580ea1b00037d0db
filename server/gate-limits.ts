import { PART_BYTES } from "@/lib/files/part-bytes";

/** Longest address of all: 64 KiB of key data, percent-encoded (contract, section 1: URL length). */
export const ADDRESS_BYTES = 262_144;
/** Our paths contain only ids and names. Paths are decoded, split and matched character by character. */
export const PATH_BYTES = 8_192;
/**
 * Headers without the address. Browsers send about 25 in 2 KB, proxies add ten; Node and most proxies have the same
 * limit.
 */
export const HEADER_BYTES = 16_384;
export const HEADER_COUNT = 100;

/** Limits for a body that is read whole: deeper and wider than anything our pages send. */
export const MAX_DEPTH = 32;
export const MAX_PARTS = 64;

const KB = 1_024;
const MB = 1_024 * KB;

/**
 * Arriving bodies, per network and in all. A browser uploads three parts at a time: 128 means 40 browsers behind one
 * address.
 */
export const BODIES = { ofNetwork: { count: 128, bytes: 128 * MB }, ofAll: { count: 512, bytes: 256 * MB } };

/** What a request may contain. */
export interface Lane {
  methods: readonly string[];
  /** Maximum size of the body; 0 if there is none. */
  bodyBytes: number;
  /** The body is read and checked before Next gets the request. */
  isWhole: boolean;
  /** Memory reserved while it arrives, if its length is unknown. */
  heldBytes: number;
  /** Allowed media types of the body. */
  types?: RegExp;
}

const READ = ["GET", "HEAD", "OPTIONS"];
const withBody = (methods: readonly string[], bodyBytes: number, types?: RegExp): Lane => ({
  methods,
  bodyBytes,
  isWhole: true,
  heldBytes: bodyBytes,
  types,
});

const page: Lane = { methods: READ, bodyBytes: 0, isWhole: false, heldBytes: 0 };
/** Media types that React sends for an action. */
const ACTION_TYPES = /^(?:text\/plain|multipart\/form-data)\b/i;
const action = withBody(["POST"], 64 * KB, ACTION_TYPES);
/** A key's data is up to 64 KB, and one character of it up to six bytes of JSON. */
const keyAction = withBody(["POST"], 400 * KB, ACTION_TYPES);
const signIn = withBody([...READ, "POST"], 32 * KB);
const FILE_METHODS = [...READ, "POST", "PUT", "DELETE"];
const fileForm = withBody(FILE_METHODS, 64 * KB);
/** The route itself reports the maximum part size for bodies that are slightly too long. */
const FILE_PART_BYTES = PART_BYTES + 64 * KB;
const filePart: Lane = {
  methods: FILE_METHODS,
  bodyBytes: FILE_PART_BYTES,
  isWhole: false,
  heldBytes: FILE_PART_BYTES,
};
/** Stored only as fast as it arrives: bounded by its quota, and by eight at a time. */
const document: Lane = { methods: FILE_METHODS, bodyBytes: Number.POSITIVE_INFINITY, isWhole: false, heldBytes: 0 };

/** The lane of a request to Next, by path. `isAction`: React calls a function of the page. */
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
