import { readFileSync } from "node:fs";
import { PART_BYTES } from "@/lib/files/schema";
import { PASSKEY_BYTES, STRANGERS_BYTES } from "@/lib/platform/bounds";

/** Our paths contain only ids and names. Paths are decoded, split and matched character by character. */
export const PATH_BYTES = 8_192;
/**
 * Headers without the address. Browsers send about 25 in 2 KB, proxies add ten; Node and most proxies have the same
 * limit.
 */
export const HEADER_BYTES = 16_384;
export const HEADER_COUNT = 100;

/** Parts of a form that is buffered: more than our pages send. */
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
  /** How much of that is read from somebody without a session. */
  strangersBytes: number;
  /** The body is read and checked before Next gets the request. */
  isBuffered: boolean;
  /** Allowed media types of the body. */
  types?: RegExp;
  /** The maximum number of arguments of an action that the body calls. */
  arguments?: number;
}

/** What the gate knows of a page's action before Next gets a call of it. */
export interface Action extends Pick<Lane, "bodyBytes" | "strangersBytes"> {
  /** The maximum number of arguments of a call. */
  arguments: number;
  /** The paths of the pages that have it. */
  pages: ReadonlySet<string>;
}

/** Finds an action by the id by which pages call it; undefined if there is none. */
export type FindAction = (id: string) => Action | undefined;

/** An action of a build, as its declaration limits it (scripts/action-limits.ts). */
export type StoredAction = Pick<Action, "bodyBytes" | "strangersBytes"> & { pages: string[] };

/** The input, and the id of a press (app/(pages)/action.ts). */
const ARGUMENTS = 2;

/** The actions of a build of Next. */
export function actionsOf(buildFolder: string): FindAction {
  const stored: Record<string, StoredAction> = JSON.parse(readFileSync(`${buildFolder}/actions.json`, "utf8"));
  const actions = new Map(
    Object.entries(stored).map(([id, action]) => [
      id,
      { ...action, arguments: ARGUMENTS, pages: new Set(action.pages) },
    ]),
  );
  return (id) => actions.get(id);
}

const READ = ["GET", "HEAD", "OPTIONS"];
const bufferedBody = (methods: readonly string[], bodyBytes: number, strangersBytes: number): Lane => ({
  methods,
  bodyBytes,
  strangersBytes,
  isBuffered: true,
});

const page: Lane = { methods: READ, bodyBytes: 0, strangersBytes: 0, isBuffered: false };
/** Media types that React sends for an action, as Next tells them apart: by their letters. */
const ACTION_TYPES = /^(?:text\/plain\b|multipart\/form-data; ?boundary=[\w'()+,./:=?-]{1,70}$)/;
/** NextAuth reads no others. */
const SIGN_IN_TYPES = /^application\/(?:json|x-www-form-urlencoded)\b/i;
const signInOf = (bodyBytes: number): Lane => ({
  ...bufferedBody([...READ, "POST"], bodyBytes, bodyBytes),
  types: SIGN_IN_TYPES,
});
const [signIn, passkeySignIn] = [signInOf(STRANGERS_BYTES), signInOf(PASSKEY_BYTES)];
const FILE_METHODS = [...READ, "POST", "PUT", "DELETE"];
const fileForm = bufferedBody(FILE_METHODS, 64 * KB, 0);
const filePart: Lane = {
  methods: FILE_METHODS,
  // The route itself reports the maximum part size for bodies that are slightly too long.
  bodyBytes: PART_BYTES + 64 * KB,
  strangersBytes: 0,
  isBuffered: false,
};
/** Stored only as fast as it arrives: bounded by its quota, and by eight at a time. */
const document: Lane = {
  methods: FILE_METHODS,
  bodyBytes: Number.POSITIVE_INFINITY,
  strangersBytes: 0,
  isBuffered: false,
};

/** The lane of a request to Next, by path. `action`: what React calls of the page. */
export function laneOf(method: string, path: string, action: Action | undefined): Lane {
  if (path.startsWith("/api/auth/")) return path === "/api/auth/callback/passkey" ? passkeySignIn : signIn;
  if (path.startsWith("/api/")) return page;
  if (path.startsWith("/files/")) {
    if (path === "/files/import") return document;
    if (method === "PUT" && (path === "/files/uploads" || path.startsWith("/files/uploads/"))) return filePart;
    return fileForm;
  }
  if (!action || method !== "POST") return page;
  return {
    ...bufferedBody(["POST"], action.bodyBytes, action.strangersBytes),
    types: ACTION_TYPES,
    arguments: action.arguments,
  };
}
