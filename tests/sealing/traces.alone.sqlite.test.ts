import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync, gunzipSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { putFile } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { addPart, beginUpload, finishUpload } from "@/lib/files/upload";
import { findKey } from "@/lib/keys/access";
import { createKey } from "@/lib/keys/create";
import { updateKey } from "@/lib/keys/update";
import { writeBackup } from "@/lib/operator/backup/write";
import { checkSecrets } from "@/lib/operator/secrets";
import { db } from "@/lib/platform/db/client";
import { env } from "@/lib/platform/env";
import { chunks, smallDocument } from "@/tests/support/documents";
import { makeUser } from "@/tests/support/user";

/** What ends a flush of deflate, and the bytes before it that are tried: pieces with little text have fewer. */
const FLUSHED = Buffer.from([0, 0, 0xff, 0xff]);
const MAX_PIECE = 1_000;

/** A text as it may be found in bytes: UTF-8, UTF-16, hex, and base64 from any of three alignments. */
function formsOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, "utf16le");
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    // The characters on both ends depend on what is beside the text.
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  });
  const hex = bytes.toString("hex");
  const written = [hex, hex.toUpperCase(), ...base64].map((form) => Buffer.from(form));
  return [bytes, utf16, Buffer.from(utf16).swap16(), ...written];
}

class Traces {
  readonly #forms: [string, Buffer][];

  constructor(texts: Record<string, string>) {
    this.#forms = Object.entries(texts).flatMap(([name, text]) =>
      formsOf(text).map((form): [string, Buffer] => [name, form]),
    );
  }

  in(bytes: Buffer): string[] {
    return [...new Set(this.#forms.filter(([, form]) => bytes.includes(form)).map(([name]) => name))];
  }

  /** Those in the files of a folder, each with its path. With `inflating`, also in deflated form there. */
  inFiles(path: string, inflating: (file: string) => boolean = () => false): string[] {
    return filesIn(path).flatMap((file) => {
      const bytes = readFileSync(file);
      const found = [...this.in(bytes), ...(inflating(file) ? this.#inflated(bytes) : [])];
      return found.map((name) => `${name} in ${file}`);
    });
  }

  /** Those that come out between a block's possible beginning and a flush, with which each piece of files ends. */
  #inflated(bytes: Buffer): string[] {
    const found = new Set<string>();
    for (let end = bytes.indexOf(FLUSHED); end >= 0; end = bytes.indexOf(FLUSHED, end + 1)) {
      // Compressed bytes have few zeros; most rows and pages have many.
      if (bytes.subarray(Math.max(0, end - 32), end).filter((byte) => byte === 0).length > 3) continue;
      for (let at = Math.max(0, end - MAX_PIECE); at < end; at++) {
        // Not the last block, with fixed or with dynamic codes.
        const header = (bytes[at] ?? 0) & 7;
        if (header !== 2 && header !== 4) continue;
        const text = inflate(bytes.subarray(at, end + FLUSHED.length));
        if (text) for (const name of this.in(text)) found.add(`${name}, deflated`);
      }
    }
    return [...found];
  }
}

function inflate(bytes: Buffer): Buffer | undefined {
  try {
    return inflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1 << 20 });
  } catch {
    return undefined;
  }
}

function filesIn(path: string): string[] {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const MARK = `marked-${randomBytes(12).toString("hex")}`;
const CLEAR = `clear-${randomBytes(12).toString("hex")}`;
const NAMED = `named-${randomBytes(12).toString("hex")}`;

test("what users store is in no file of the database and in no backup, but what is not sealed is", async () => {
  await checkSecrets("service");
  const user = await makeUser();
  const caller = { ...user, role: "user" } as const;
  await importDocument(user, chunks(JSON.stringify(smallDocument(user.username, `${MARK} imported`))));
  await putFile(user, undefined, { name: "b.txt", bytes: Buffer.from(`${MARK} whole`), onExisting: "refuse" });
  const part = Buffer.from(`${MARK} in a part`);
  const large = { name: "c.bin", totalBytes: part.length, isText: false, onExisting: "refuse" } as const;
  const { uploadId } = await beginUpload(user, undefined, large);
  await addPart(user, uploadId, { offset: 0, bytes: part });
  await finishUpload(user, uploadId);
  const { id } = await createKey(caller, { data: `${MARK} created`, price: "1", name: NAMED });
  await updateKey(caller, await findKey(caller, id), { field: "data", value: `${MARK} updated` });

  const [stored, named] = [new Traces({ stored: MARK }), new Traces({ name: NAMED })];
  const arePieces = (file: string) => file.includes("latchkey.db");
  expect(stored.inFiles(env.DATA_DIR, arePieces)).toEqual([]);
  expect(named.inFiles(env.DATA_DIR)).not.toEqual([]);

  // A piece that is not sealed would have been found.
  const clear = new Traces({ clear: CLEAR });
  const deflated = deflateRawSync(`["${CLEAR}"]`, { finishFlush: constants.Z_SYNC_FLUSH });
  const { pieceId } = await db.fileContent.findFirstOrThrow({ where: { piece: { userId: user.id } } });
  await db.fileContent.update({ where: { pieceId }, data: { deflated, sealedWith: null } });
  expect(clear.inFiles(env.DATA_DIR, arePieces)).toContainEqual(expect.stringMatching(/^clear, deflated in /));

  const backups = mkdtempSync(join(env.DATA_DIR, "backups-"));
  await writeBackup(join(backups, "sealed"));
  await writeBackup(join(backups, "open"), new Date(), { passphrase: "seven marbles under the stairs" });
  const secret = new Traces({ stored: MARK, secret: String(env.AUTH_SECRET) });
  for (const name of ["sealed", "open"]) {
    const text = gunzipSync(readFileSync(join(backups, name)));
    expect([secret.in(text), clear.in(text), named.in(text)]).toEqual([[], [], ["name"]]);
  }
});
