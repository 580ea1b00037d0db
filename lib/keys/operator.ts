import { z } from "zod";
import { findUser } from "@/lib/accounts/identity/user";
import { readCursor, writeCursor } from "@/lib/platform/cursor";
import { db, sql } from "@/lib/platform/db/client";
import { orNull } from "@/lib/platform/errors";
import {
  type After,
  keysCreatedBy,
  keysHeldBy,
  keysNamed,
  keysNamedBefore,
  type ListedKeyRow,
  latestKeys,
  readSearch,
} from "./list-queries";
import { type PlainField, type PlainFields, plainFieldNames } from "./schema";

/** What an operator may see of a key: never its data. */
export interface KeyFacts extends PlainFields {
  id: string;
  /** Size of its data in bytes. */
  bytes: number;
  creatorId: string;
  creator: string;
  createdAt: Date;
  updatedAt: Date;
  holders: number;
}

const PLAIN = Object.fromEntries(plainFieldNames.map((field) => [field, true])) as Record<PlainField, true>;

/** A key without its data, or null if there is none with this id. */
export async function keyFacts(keyId: string): Promise<KeyFacts | null> {
  const key = await db.key.findUnique({
    where: { id: keyId },
    select: {
      id: true,
      ...PLAIN,
      dataBytes: true,
      creatorId: true,
      createdAt: true,
      updatedAt: true,
      creator: { select: { username: true } },
    },
  });
  if (!key) return null;
  const { dataBytes, creator, ...facts } = key;
  // With the key, the holders of every key would be counted.
  const holders = await db.holder.count({ where: { keyId } });
  return { ...facts, bytes: dataBytes, creator: creator.username, holders };
}

export const ALL_KEYS_A_PAGE = 25;

const keyId = z.string().regex(/^[0-9a-f]{32}$/);
/** A key in the order of names. PostgreSQL stores neither NUL nor half a character. */
const namePosition = z.tuple([
  z
    .string()
    .refine((name) => !name.includes("\0"))
    .transform((name) => name.toWellFormed()),
  keyId,
]);
/** A key in the order of creation, in milliseconds. */
const timePosition = z.tuple([z.string().regex(/^\d{1,15}$/), keyId]);

/** What keys can be searched by. */
export const FIND_BY = ["name", "creator", "holder"] as const;
export type FindBy = (typeof FIND_BY)[number];

export interface KeySearchPage {
  keys: Omit<ListedKeyRow, "foldedName">[];
  /** Where the next page begins; null if this is the last. */
  next: string | null;
}

/**
 * A page of all keys, without their data: those whose name begins with the text, in the order of names; those of a
 * creator or of a holder, or without a text all of them, latest first. Null if there is no user with that name.
 * Anything but a cursor of this list is its first page.
 */
export async function listAllKeys(by: FindBy, input: string, cursor?: string): Promise<KeySearchPage | null> {
  const text = readSearch(input);
  const isByName = by === "name" && text !== "";
  const read = await readerFor(by, text);
  if (!read) return null;
  const after = readCursor(cursor, isByName ? namePosition : timePosition);
  const rows = await read(ALL_KEYS_A_PAGE + 1, after && { value: after[0], id: after[1] });
  const page = rows.slice(0, ALL_KEYS_A_PAGE);
  const last = rows.length > ALL_KEYS_A_PAGE ? page.at(-1) : undefined;
  const value = (row: ListedKeyRow) => (isByName ? (row.foldedName ?? "") : String(row.createdAt.getTime()));
  return {
    keys: page.map(({ foldedName: _, ...key }) => key),
    next: last ? writeCursor([value(last), last.id]) : null,
  };
}

type ReadKeys = (limit: number, after: After | undefined) => Promise<ListedKeyRow[]>;

async function readerFor(by: FindBy, text: string): Promise<ReadKeys | null> {
  if (text === "") return (...page) => sql.read(latestKeys(...page));
  if (by === "name") return (...page) => readNamed(text, ...page);
  const user = await findUser(text).catch(orNull);
  if (!user) return null;
  const keysOf = by === "creator" ? keysCreatedBy : keysHeldBy;
  return (...page) => sql.read(keysOf(user.id, ...page));
}

/** With those whose names wait for the sweep, in one order. */
async function readNamed(text: string, limit: number, after: After | undefined): Promise<ListedKeyRow[]> {
  const named = await sql.read(keysNamed(text, limit, after));
  const others = await sql.read(keysNamedBefore(text, limit, after));
  if (others.length === 0) return named;
  const byId = new Map([...named, ...others].map((row) => [row.id, row]));
  const bytes = (row: ListedKeyRow) => Buffer.from(`${row.foldedName}\0${row.id}`);
  return [...byId.values()].sort((one, other) => Buffer.compare(bytes(one), bytes(other))).slice(0, limit);
}
