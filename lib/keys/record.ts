import { lookUps, type SqlStatements } from "@/lib/db/client";
import { type KeyRow, manages, type Viewer } from "./find";
import type { KeyRecord } from "./schema";

type Reading = Pick<SqlStatements, "$queryRaw">;

/** Username to since when, in unix seconds. */
export type Users = KeyRecord["users"];

/** The key as `viewer` may see it: data for holders only, all holders for who manages it (contract, section 2). */
export async function recordFor(viewer: Viewer, row: KeyRow, statements: Reading = lookUps): Promise<KeyRecord> {
  return asRecord(viewer, row, manages(viewer, row) ? await holdersOf(row.id, statements) : ownEntry(viewer, row));
}

/** The record, where who holds the key is known already. */
export function asRecord(viewer: Viewer, row: KeyRow, users: Users): KeyRecord {
  const holds = row.since !== null;
  return {
    key: row.id,
    id: row.id,
    name: row.name,
    type: "standard",
    price: Number(row.price),
    creator: row.creator,
    isCreator: row.creatorId === viewer.id,
    owned: holds,
    owns: holds,
    data: holds ? row.data : null,
    users,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** What who does not manage the key is shown of its holders: itself. */
export function ownEntry(viewer: Viewer, row: KeyRow): Users {
  return row.since ? asUsers([{ username: viewer.username, since: row.since }]) : {};
}

/** Every holder of one key, longest first. */
export async function holdersOf(keyId: string, statements: Reading = lookUps): Promise<Users> {
  return asUsers(
    await statements.$queryRaw`
      SELECT u."username", h."since" FROM "Holder" h JOIN "User" u ON u."id" = h."userId"
      WHERE h."keyId" = ${keyId} ORDER BY h."since", u."username"`,
  );
}

/** `Object.fromEntries` and not assignment: a user may be called `__proto__`. */
export function asUsers(holders: { username: string; since: Date }[]): Users {
  return Object.fromEntries(holders.map(({ username, since }) => [username, { time: Math.floor(since.getTime() / 1000) }]));
}
