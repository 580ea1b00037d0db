import { TRANSITIONS } from "@/lib/link/states";
import { idOf, networkOf, numbers, timeOf } from "./dialect";
import type { Rows, Spread } from "./size";

/** A text as long as a hash, of the n-th thing of this kind. */
const hashOf = (kind: Parameters<typeof idOf>[0], n: string) => `${idOf(kind, n)} || ${idOf(kind, n)}`;

/** Codes that wait for somebody who enters them, and some that were denied. */
export const linkRows =
  ({ begin, span, users }: Spread): Rows =>
  (from, to) => {
    const asked = `${begin + span} - (n % 600) * 1000`;
    const isDenied = "n % 10 = 0";
    const state = `CASE WHEN ${isDenied} THEN '${TRANSITIONS.deny.to}' ELSE '${TRANSITIONS.ask.to}' END`;
    return `INSERT INTO "LinkCode"
       ("id", "codeHash", "status", "createdAt", "expiresAt", "network", "program", "name", "userId", "decidedAt")
     SELECT ${idOf("link", "n")}, ${hashOf("link", "n")}, ${state}, ${timeOf(asked)},
       ${timeOf(`${asked} + 600000`)}, ${networkOf("n")}, 'curl/8.5.0', 'Program ' || (n % 50),
       CASE WHEN ${isDenied} THEN ${idOf("user", `n % ${users}`)} END,
       CASE WHEN ${isDenied} THEN ${timeOf(`${asked} + 5000`)} END
     FROM ${numbers(from, to)}`;
  };

/** The masks of each of them. */
export const maskRows: Rows = (from, to) =>
  `INSERT INTO "LinkMask" ("linkId", "mask1", "mask2", "mask3", "mask4", "mask5", "mask6")
   SELECT ${idOf("link", "n")}, n, n, n, n, n, n FROM ${numbers(from, to)}`;

/** The `n`-th user with a linked program. */
const linked = (n: string) => idOf("user", `(${n}) * 5 + 1`);

/** Codes of a year that programs collected: every fifth user has linked one with the account's token. */
export const collectedRows =
  ({ begin, span, users }: Spread): Rows =>
  (from, to) => {
    const id = idOf("link", "s.n + 2000000000");
    const at = timeOf(`${begin} + s.n * ${Math.max(1, Math.floor((span * 5) / users))}`);
    return `INSERT INTO "LinkCode" ("id", "status", "createdAt", "expiresAt", "network", "program", "userId",
       "decidedAt", "tokenHash", "collectBy", "collectedAt", "collectedNetwork", "collectedProgram")
     SELECT ${id}, '${TRANSITIONS.collect.to}', ${at}, ${at}, ${networkOf("s.n")}, 'curl/8.5.0', u."id", ${at},
       u."tokenHash", ${at}, ${at}, ${networkOf("s.n")}, 'curl/8.5.0'
     FROM (SELECT n FROM ${numbers(from, to)}) AS s JOIN "User" u ON u."id" = ${linked("s.n")}`;
  };

/** Every fifth user has a program with a token of its own. */
export const accessTokenRows =
  ({ begin, span, users }: Spread): Rows =>
  (from, to) =>
    `INSERT INTO "AccessToken" ("id", "userId", "name", "nameKey", "access", "hash", "createdAt", "startsAt", "usedAt")
     SELECT ${idOf("token", "n")}, ${idOf("user", `n * 5 + 2`)}, 'Backup', 'backup', 'read', ${hashOf("token", "n")},
       ${timeOf(String(begin))}, ${timeOf(String(begin))},
       ${timeOf(`${begin} + n * ${Math.max(1, Math.floor((span * 5) / users))}`)}
     FROM ${numbers(from, to)}`;
