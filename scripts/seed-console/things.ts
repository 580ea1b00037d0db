import { idOf, networkOf, numbers, timeOf } from "./dialect";
import type { Rows, Spread } from "./size";

/** The number of the user who creates the n-th key. */
export const seededCreatorOf = (users: number) =>
  `(CASE WHEN n % 10 = 0 THEN (n / 10) % ${Math.min(100, users)} ELSE (n * 7919) % ${users} END)`;

const createdAt = ({ begin, span, keys }: Spread) => timeOf(`${begin} + n * ${Math.max(1, Math.floor(span / keys))}`);

export const keyRows =
  (size: Spread): Rows =>
  (from, to) =>
    `INSERT INTO "Key" ("id", "creatorId", "name", "data", "dataBytes", "price", "createdAt", "updatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", seededCreatorOf(size.users))}, 'Licence ' || n, 'data of a key', 13,
       '1.5', ${createdAt(size)}, ${createdAt(size)} FROM ${numbers(from, to)}`;

export const holderRows =
  (size: Spread): Rows =>
  (from, to) =>
    `INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", seededCreatorOf(size.users))}, ${createdAt(size)}, ${createdAt(size)}
     FROM ${numbers(from, to)}`;

/** Every other key has a holder beside its creator. */
export const secondHolderRows =
  (size: Spread): Rows =>
  (from, to) => {
    const other = `((n * 104729 + 1) % ${size.users})`;
    return `INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", other)}, ${createdAt(size)}, ${createdAt(size)}
     FROM ${numbers(from, to)} WHERE n % 2 = 0 AND ${other} <> ${seededCreatorOf(size.users)}`;
  };

/** Every tenth user is signed in. */
export const sessionRows =
  ({ begin, span, users }: Spread): Rows =>
  (from, to) => {
    const end = begin + span;
    const since = `${end} - (n % 30) * 86400000`;
    return `INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent", "network")
     SELECT ${idOf("session", "n")}, ${idOf("user", `(n * 10 + 3) % ${users}`)}, ${timeOf(since)},
       ${timeOf(`${since} + 2592000000`)}, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0', ${networkOf("n")}
     FROM ${numbers(from, to)}`;
  };
