import { constants, crc32, deflateRawSync } from "node:zlib";
import { TRANSITIONS } from "@/lib/link/states";
import { OPERATOR } from "@/lib/platform/audit";
import { env } from "@/lib/platform/env";

/**
 * SQL expressions of the seed's statements, of which every value is computed from the row's number `n`. So the rows of
 * one table know those of another without reading them.
 */
const isPostgres = Boolean(env.DATABASE_URL);

const hexOf = (expression: string, digits: number) =>
  isPostgres ? `lpad(to_hex((${expression})::bigint), ${digits}, '0')` : `printf('%0${digits}x', ${expression})`;

/** Odd multipliers: each maps the numbers below 2^32 to one another, so ids are in no order, as random ones are. */
const SCATTER = {
  user: 2_654_435_761,
  key: 2_246_822_519,
  link: 3_266_489_917,
  session: 668_265_263,
  token: 374_761_393,
  piece: 2_971_215_073,
} as const;

export const idOf = (kind: keyof typeof SCATTER, n: string) =>
  `${hexOf(`((${n}) * ${SCATTER[kind]}) % 4294967296`, 8)} || ${hexOf(n, 24)}`;

export function idIn(kind: keyof typeof SCATTER, n: number): string {
  const scattered = (BigInt(n) * BigInt(SCATTER[kind])) % 4_294_967_296n;
  return scattered.toString(16).padStart(8, "0") + n.toString(16).padStart(24, "0");
}

const digits = (n: string) =>
  isPostgres ? `lpad((${n})::text, greatest(7, length((${n})::text)), '0')` : `printf('%07d', ${n})`;

export const nameOf = (n: string) => `'user-' || ${digits(n)}`;
export const nameIn = (n: number) => `user-${String(n).padStart(7, "0")}`;

export const networkOf = (n: string) =>
  `'198.' || (18 + (${n}) % 2) || '.' || ((${n}) / 7 % 250) || '.' || ((${n}) / 3 % 250)`;

export const timeOf = (ms: string) => (isPostgres ? `to_timestamp((${ms}) / 1000.0) AT TIME ZONE 'UTC'` : `(${ms})`);

export const numbers = (from: number, to: number) =>
  isPostgres
    ? `generate_series(${from}::bigint, ${to}::bigint) AS series(n)`
    : `(WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to}) SELECT n FROM s)`;

export interface Size {
  users: number;
  keys: number;
  events: number;
}

export type Spread = Size & { begin: number; span: number };

/** The statement for the rows with these numbers. */
export type Rows = (size: Spread, from: number, to: number) => string;

export const seededCreatorOf = (users: number) =>
  `(CASE WHEN n % 10 = 0 THEN (n / 10) % ${Math.min(100, users)} ELSE (n * 7919) % ${users} END)`;

const createdAt = ({ begin, span, keys }: Spread) => timeOf(`${begin} + n * ${Math.max(1, Math.floor(span / keys))}`);

export const keyRows: Rows = (size, from, to) =>
  `INSERT INTO "Key" ("id", "creatorId", "name", "data", "dataBytes", "price", "createdAt", "updatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", seededCreatorOf(size.users))}, 'Licence ' || n, 'data of a key', 13,
       '1.5', ${createdAt(size)}, ${createdAt(size)} FROM ${numbers(from, to)}`;

export const holderRows: Rows = (size, from, to) =>
  `INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", seededCreatorOf(size.users))}, ${createdAt(size)}, ${createdAt(size)}
     FROM ${numbers(from, to)}`;

export const secondHolderRows: Rows = (size, from, to) => {
  const other = `((n * 104729 + 1) % ${size.users})`;
  return `INSERT INTO "Holder" ("keyId", "userId", "since", "keyCreatedAt")
     SELECT ${idOf("key", "n")}, ${idOf("user", other)}, ${createdAt(size)}, ${createdAt(size)}
     FROM ${numbers(from, to)} WHERE n % 2 = 0 AND ${other} <> ${seededCreatorOf(size.users)}`;
};

export const sessionRows: Rows = ({ begin, span, users }, from, to) => {
  const end = begin + span;
  const since = `${end} - (n % 30) * 86400000`;
  return `INSERT INTO "Session" ("id", "userId", "createdAt", "expiresAt", "userAgent", "network")
     SELECT ${idOf("session", "n")}, ${idOf("user", `(n * 10 + 3) % ${users}`)}, ${timeOf(since)},
       ${timeOf(`${since} + 2592000000`)}, 'Mozilla/5.0 (X11; Linux x86_64) Firefox/145.0', ${networkOf("n")}
     FROM ${numbers(from, to)}`;
};

const hashOf = (kind: Parameters<typeof idOf>[0], n: string) => `${idOf(kind, n)} || ${idOf(kind, n)}`;

export const linkRows: Rows = ({ begin, span, users }, from, to) => {
  const asked = `${begin + span} - (n % 600) * 1000`;
  const isDenied = "n % 10 = 0";
  const state = `CASE WHEN ${isDenied} THEN '${TRANSITIONS.deny.to}' ELSE '${TRANSITIONS.create.to}' END`;
  return `INSERT INTO "LinkCode"
       ("id", "codeHash", "status", "createdAt", "expiresAt", "network", "program", "name", "userId", "decidedAt")
     SELECT ${idOf("link", "n")}, ${hashOf("link", "n")}, ${state}, ${timeOf(asked)},
       ${timeOf(`${asked} + 600000`)}, ${networkOf("n")}, 'curl/8.5.0', 'Program ' || (n % 50),
       CASE WHEN ${isDenied} THEN ${idOf("user", `n % ${users}`)} END,
       CASE WHEN ${isDenied} THEN ${timeOf(`${asked} + 5000`)} END
     FROM ${numbers(from, to)}`;
};

export const maskRows: Rows = (_, from, to) =>
  `INSERT INTO "LinkMask" ("linkId", "mask1", "mask2", "mask3", "mask4", "mask5", "mask6")
   SELECT ${idOf("link", "n")}, n, n, n, n, n, n FROM ${numbers(from, to)}`;

const linked = (n: string) => idOf("user", `(${n}) * 5 + 1`);

export const collectedRows: Rows = ({ begin, span, users }, from, to) => {
  const id = idOf("link", "s.n + 2000000000");
  const at = timeOf(`${begin} + s.n * ${Math.max(1, Math.floor((span * 5) / users))}`);
  return `INSERT INTO "LinkCode" ("id", "status", "createdAt", "expiresAt", "network", "program", "userId",
       "decidedAt", "tokenHash", "collectBy", "collectedAt", "collectedNetwork", "collectedProgram")
     SELECT ${id}, '${TRANSITIONS.collect.to}', ${at}, ${at}, ${networkOf("s.n")}, 'curl/8.5.0', u."id", ${at},
       u."tokenHash", ${at}, ${at}, ${networkOf("s.n")}, 'curl/8.5.0'
     FROM (SELECT n FROM ${numbers(from, to)}) AS s JOIN "User" u ON u."id" = ${linked("s.n")}`;
};

export const accessTokenRows: Rows = ({ begin, span, users }, from, to) =>
  `INSERT INTO "AccessToken" ("id", "userId", "name", "nameKey", "access", "hash", "createdAt", "startsAt", "usedAt")
     SELECT ${idOf("token", "n")}, ${idOf("user", `n * 5 + 2`)}, 'Backup', 'backup', 'read', ${hashOf("token", "n")},
       ${timeOf(String(begin))}, ${timeOf(String(begin))},
       ${timeOf(`${begin} + n * ${Math.max(1, Math.floor((span * 5) / users))}`)}
     FROM ${numbers(from, to)}`;

/** Of a user with one text file. Every document is this one, so that no statement computes a checksum. */
const ENTRIES = [
  [".folder", "home", "origin/(c) users", ["1".padStart(32, "0")], 0, 0, 0, 0, 1, 1, "", 1, [], "f".repeat(32)],
  [".txt", "notes", "origin/(c) users/home", "text ".repeat(40), 0, 0, 0, 0, 1, 1, "", 200, [], "1".padStart(32, "0")],
].flat();
const WHOLE = Buffer.from(JSON.stringify(ENTRIES));
/** The piece, which is everything but the end of the document. */
const TEXT = WHOLE.subarray(0, -1);
const DEFLATED = deflateRawSync(TEXT, { finishFlush: constants.Z_FULL_FLUSH });
/** A gzip member: header, pieces, the end of the document, trailer (RFC 1952, section 2.3). */
const GZIP_LENGTH = 10 + DEFLATED.length + deflateRawSync("]").length + 8;
const bytes = (hex: string) => (env.DATABASE_URL ? `'\\x${hex}'::bytea` : `x'${hex}'`);

const owner = idOf("user", "n * 10 + 4");
const piece = idOf("piece", "n");

const KEY_COLUMNS = ["pieceId", "start", "entryId", "entryBucket", "parentKey", "rank", "nameKey", "typeKey"];
const name = bytes("61");
const keys = [piece, 1, `'${"1".padStart(32, "0")}'`, "n * 256", `substr(${piece}, 1, 16)`, 1, name, name];

/** Every tenth user has a document. Its index is as of an older release: it is rebuilt once its user looks at it. */
export const documentRows = ({ begin, span, users }: Spread): Rows[] => {
  const at = timeOf(`${begin} + n * ${Math.max(1, Math.floor((span * 10) / users))}`);
  const into =
    (table: string, columns: string[], values: (string | number)[]): Rows =>
    (_, from, to) =>
      `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`)}) SELECT ${values} FROM ${numbers(from, to)}`;
  return [
    into("FileDocument", ["userId", "version"], [owner, 1]),
    into(
      "FileVersion",
      ["userId", "version", "publishedAt", "entries", "plainLength", "gzipLength", "crc", "etag"],
      [owner, 1, at, 2, WHOLE.length, GZIP_LENGTH, crc32(WHOLE), "'seeded'"],
    ),
    into(
      "FilePiece",
      ["id", "userId", "position", "bornVersion", "entries", "plainLength", "deflatedLength", "crc"],
      [piece, owner, 1 << 20, 1, 2, TEXT.length, DEFLATED.length, crc32(TEXT)],
    ),
    into("FileContent", ["pieceId", "deflated"], [piece, bytes(DEFLATED.toString("hex"))]),
    into(
      "FileEntry",
      [...KEY_COLUMNS, "editedOrder", "label", "type", "size", "isBase64"],
      [...keys, 1, "'notes'", "'.txt'", 200, "false"],
    ),
  ];
};

type Kind = [action: string, share: number, subject: string, actor: string, detail: string, isOfNetwork?: true];

const NETWORK = `'{"network":"' || ${networkOf("n")}`;

function kinds({ users, keys }: Spread): Kind[] {
  const key = idOf("key", `(n * 31) % ${Math.max(1, keys)}`);
  const creator = idOf("user", seededCreatorOf(users));
  const user = idOf("user", `(n * 17) % ${users}`);
  // One program of a customer's causes a twentieth of all.
  const busy = idOf("user", "1");
  const link = idOf("link", "n");
  const name = nameOf(`(n * 13) % ${users}`);
  const [nothing, changed, held] = ["'{}'", `'{"field":"data"}'`, `'{"user":"' || ${name} || '"}'`];
  const from = (more = "") => `${NETWORK} || '"${more}}'`;
  return [
    ["key.create", 180, key, creator, nothing],
    ["key.update", 50, key, busy, changed],
    ["key.update", 120, key, creator, changed],
    ["key.add", 150, key, creator, held],
    ["key.revoke", 50, key, creator, held],
    ["user.signin", 150, user, user, from(',"program":"Firefox"'), true],
    ["token.use", 50, user, user, from(',"name":"Backup"'), true],
    ["link.ask", 140, link, "NULL", from(), true],
    ["link.approve", 70, link, user, from(',"program":"MyTool"'), true],
    ["link.refuse", 20, networkOf("n"), "NULL", from(), true],
    ["user.password", 12, user, user, nothing],
    ["user.disable", 4, user, `'${OPERATOR}'`, nothing],
    ["user.enable", 4, user, `'${OPERATOR}'`, nothing],
  ];
}

export const eventRows: Rows = (size, from, to) => {
  const all = kinds(size);
  const choose = (of: (kind: Kind) => string) => {
    const endOf = (index: number) => all.slice(0, index + 1).reduce((end, [, share]) => end + share, 0);
    const cases = all.map((kind, index) => `WHEN n * 7919 % 1000 < ${endOf(index)} THEN ${of(kind)}`);
    return `CASE ${cases.join(" ")} END`;
  };
  // One of 100,000 is of a kind that hardly ever happens.
  const isRare = "n % 100000 = 99999";
  const step = Math.max(1, Math.floor(size.span / Math.max(1, size.events)));
  return `INSERT INTO "AuditEvent" ("at", "action", "subjectId", "actorId", "detail", "network")
     SELECT ${timeOf(`${size.begin} + n * ${step}`)},
       CASE WHEN ${isRare} THEN 'console.refuse' ELSE ${choose(([action]) => `'${action}'`)} END,
       ${choose(([, , subject]) => subject)}, ${choose(([, , , actor]) => actor)},
       ${choose(([, , , , detail]) => detail)},
       ${choose(([, , , , , isOfNetwork]) => (isOfNetwork ? networkOf("n") : "NULL"))}
     FROM ${numbers(from, to)}`;
};
