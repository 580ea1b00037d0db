import { z } from "zod";
import { KIND, nameBytes } from "@/lib/accounts/identity/user";
import { readCursor, writeCursor } from "@/lib/platform/cursor";
import { sql } from "@/lib/platform/db/client";
import { invalidParameter } from "@/lib/platform/errors";
import { DAY_MS } from "@/lib/platform/time";
import {
  type Direction,
  idleUsers,
  kindsOf,
  type ListedRow,
  listPosition,
  type Sort,
  type UserFilter,
  usersPage,
  usualDirection,
} from "./queries";

const key = z
  .string()
  .regex(/^[a-z0-9_-]{1,20}$/)
  .transform((name) => Buffer.from(name));
const upTo = (max: number) => z.int().min(0).max(max);
const time = upTo(Date.UTC(9999, 0)).transform((ms) => new Date(ms));

/** The position of a user in a list sorted this way: values that the columns of both databases can hold. */
const POSITION: Record<Sort, z.ZodType<unknown[]>> = {
  name: z.tuple([key]),
  created: z.tuple([time, key]),
  seen: z.tuple([time, key]),
  keys: z.tuple([upTo(0x7fffffff), key]),
  bytes: z.tuple([upTo(Number.MAX_SAFE_INTEGER), key]),
};

/** The same for a cursor. */
const plainPosition = (user: ListedRow, sort: Sort) =>
  listPosition(user, sort).map((value) =>
    value instanceof Date ? value.getTime() : value instanceof Uint8Array ? Buffer.from(value).toString() : value,
  );

export const MAX_IDLE_DAYS = 36_500;
const MAX_LISTED = 1_000;
/** So many users who were not seen are sorted for each page; more of them are met soon in any order. */
const FEW = 15_000;

/** A user in a list. The numbers are those of the last sweep. */
export interface ListedUser {
  username: string;
  role: string;
  disabled: boolean;
  password: boolean;
  createdAt: Date;
  /** To an hour. Null: never. */
  seenAt: Date | null;
  /** Keys that the user created, and the bytes of their data. */
  keys: number;
  keyBytes: number;
  /** Bytes of the stored document, and its files and folders. */
  fileBytes: number;
  entries: number;
}

interface UserList {
  users: ListedUser[];
  /** Continues the list; null at its end. */
  next: string | null;
}

export interface ListUsers extends UserFilter {
  sort?: Sort;
  direction?: Direction;
  limit: number;
  /** `next` of the page before. One of another list, or none of ours: the list begins again. */
  after?: string;
}

/**
 * A page of users. Names that begin with something are listed by name, whatever `sort` is. Throws 400
 * `invalid_parameter`.
 */
export async function listUsers(options: ListUsers, now = new Date()): Promise<UserList> {
  const { name, idleDays, limit } = options;
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LISTED)
    throw invalidParameter(`The limit must be 1 to ${MAX_LISTED}.`, "limit");
  if (idleDays !== undefined && !(Number.isInteger(idleDays) && idleDays > 0 && idleDays <= MAX_IDLE_DAYS))
    throw invalidParameter(`The days must be a whole number from 1 to ${MAX_IDLE_DAYS}.`, "idle");
  const sort = name ? "name" : (options.sort ?? "created");
  const direction = (name ? undefined : options.direction) ?? usualDirection(sort);
  const kinds = kindsOf(options);
  const seenBefore = idleDays === undefined ? undefined : new Date(now.getTime() - idleDays * DAY_MS);
  const [idle] = seenBefore && sort !== "seen" ? await sql.read(idleUsers(kinds, seenBefore, FEW)) : [];
  const rows = await sql.read(
    usersPage({
      kinds,
      prefix: name ? nameBytes(name) : undefined,
      seenBefore,
      areFewIdle: idle && idle.count < FEW,
      sort,
      direction,
      after: readCursor(options.after, POSITION[sort]),
      limit: limit + 1,
    }),
  );
  const users = rows.slice(0, limit);
  const last = users.at(-1);
  return {
    users: users.map(({ username, role, disabledAt, kind, createdAt, seenAt, ...row }) => ({
      username,
      role,
      disabled: disabledAt !== null,
      password: (kind & KIND.passwordless) === 0,
      createdAt,
      seenAt: seenAt > createdAt ? seenAt : null,
      keys: row.keys,
      keyBytes: row.keyBytes,
      fileBytes: row.fileBytes,
      entries: row.entries,
    })),
    next: rows.length > limit && last ? writeCursor(plainPosition(last, sort)) : null,
  };
}
