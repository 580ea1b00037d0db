import { constants, crc32, deflateRawSync } from "node:zlib";
import { env } from "@/lib/env";
import { idOf, numbers, timeOf } from "./dialect";
import type { Rows, Spread } from "./size";

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
    (table: string, columns: string[], values: (string | number)[], of = "") =>
    (from: number, to: number) =>
      `INSERT INTO "${table}" (${columns.map((name) => `"${name}"`)}) SELECT ${values}
     FROM ${numbers(from, to)}${of}`;
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
