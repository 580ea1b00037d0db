// Run in its own process: node --import tsx bench/floors/files.ts <username>…, with the environment of a service that
// has their documents, and FOLDER, which holds <username>.json and <username>.json.gz. The minimum that can send a
// document: bare node:http and, at /file/<username>, a file; at /pieces/<username>, the same pieces that the service
// reads, opened, and inflated or as they are. It knows the pieces in advance. Prints its address when it listens.
import { once } from "node:events";
import { createReadStream, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, inflateRaw } from "node:zlib";
import Database from "better-sqlite3";
import pg from "pg";
import { openBytes } from "@/lib/platform/crypto/secrets";
import { userKey } from "@/lib/platform/crypto/user-keys";
import { setEngineFlags } from "@/lib/platform/process";

const AT_ONCE = 8;
const inflate = promisify(inflateRaw);
setEngineFlags();

interface Piece {
  id: string;
  userId: string;
  plainLength: number;
  deflatedLength: number;
}

interface Sealed {
  pieceId: string;
  deflated: Buffer;
  sealedWith: number;
}

interface Source {
  list(username: string): Promise<Piece[]>;
  readContents(ids: string[]): Promise<Sealed[]>;
}

const LIST =
  `SELECT "id", "userId", "plainLength", "deflatedLength" FROM "FilePiece" WHERE "userId" = (SELECT "id" FROM ` +
  `"User" WHERE "username" = $1) AND "bornVersion" IS NOT NULL AND "retiredVersion" IS NULL ORDER BY ` +
  `"position"`;

function sqlite(file: string): Source {
  const database = new Database(file, { readonly: true });
  const list = database.prepare(LIST.replace("$1", "?"));
  const readContents = database.prepare(
    `SELECT "pieceId", "deflated", "sealedWith" FROM "FileContent" WHERE "pieceId" = ?`,
  );
  return {
    list: async (username) => list.all(username) as Piece[],
    readContents: async (ids) => ids.map((id) => readContents.get(id) as Sealed),
  };
}

function postgres(connectionString: string): Source {
  const pool = new pg.Pool({ connectionString, max: 10 });
  const text =
    `SELECT "pieceId", "deflated", "sealedWith" FROM "FileContent" ` +
    `JOIN unnest($1::text[]) WITH ORDINALITY AS wanted(id, place) ON "pieceId" = id ORDER BY place`;
  return {
    list: async (username) => (await pool.query(LIST, [username])).rows,
    readContents: async (ids) => (await pool.query<Sealed>({ name: "take", text, values: [ids] })).rows,
  };
}

const { DATABASE_URL, DATA_DIR = "", FOLDER = "" } = process.env;
const source = DATABASE_URL === undefined ? sqlite(join(DATA_DIR, "latchkey.db")) : postgres(DATABASE_URL);
const documents = new Map(
  await Promise.all(process.argv.slice(2).map(async (id) => [id, await source.list(id)] as const)),
);

function inflated(part: Uint8Array, length: number): Promise<Buffer> {
  return inflate(part, { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(constants.Z_MIN_CHUNK, length + 1) });
}

async function opened({ userId, deflatedLength }: Piece, { pieceId, deflated, sealedWith }: Sealed): Promise<Buffer> {
  const key = await userKey({ userId, number: sealedWith });
  if (!key) throw new Error(`The key of the piece ${pieceId} is missing.`);
  // After it, there is the mask of its CRC.
  return openBytes(key, deflated, `piece ${pieceId} ${userId}`).subarray(0, deflatedLength);
}

async function sendPieces(response: ServerResponse, username: string, gzip: boolean): Promise<void> {
  const pieces = documents.get(username) ?? [];
  const length = pieces.reduce(
    (sum, { plainLength, deflatedLength }) => sum + (gzip ? deflatedLength : plainLength),
    0,
  );
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": length });
  for (let from = 0; from < pieces.length; from += AT_ONCE) {
    const some = pieces.slice(from, from + AT_ONCE);
    const sealed = await source.readContents(some.map(({ id }) => id));
    const contents = await Promise.all(sealed.map((content, index) => opened(some[index] as Piece, content)));
    const parts = gzip
      ? contents
      : await Promise.all(contents.map((part, index) => inflated(part, some[index]?.plainLength ?? 0)));
    for (const part of parts) if (!response.write(part)) await once(response, "drain");
  }
  response.end();
}

function sendFile(response: ServerResponse, path: string): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": statSync(path).size });
  createReadStream(path, { highWaterMark: 256 * 1024 }).pipe(response);
}

const server = createServer((request, response) => {
  const gzip = request.headers["accept-encoding"] === "gzip";
  const [, kind, username = ""] = (request.url ?? "").split("/");
  if (kind === "file") sendFile(response, join(FOLDER, `${username}.json${gzip ? ".gz" : ""}`));
  else void sendPieces(response, username, gzip);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
