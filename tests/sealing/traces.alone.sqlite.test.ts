import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, deflateRawSync, gunzipSync } from "node:zlib";
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
import { Traces } from "@/tests/support/traces";
import { makeUser } from "@/tests/support/user";

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

/** Not a random one: that could be deflated to bytes with so many zeros that the search takes them for a row. */
const CLEARLY = "marked-0d3f7c51b8a29e6446ce9a18";

test("the search finds a text in every form", () => {
  const traces = new Traces({ text: CLEARLY });
  const folder = mkdtempSync(join(tmpdir(), "latchkey-traces-"));
  const find = (bytes: Buffer) => {
    writeFileSync(join(folder, "file"), Buffer.concat([randomBytes(1_001), bytes, randomBytes(1_001)]));
    return traces.inFiles(folder, () => true).map((found) => found.split(" in ")[0]);
  };
  const text = `["a","${CLEARLY}"]`;
  for (const bytes of [text, Buffer.from(text, "utf16le"), Buffer.from(text).toString("hex")])
    expect(find(Buffer.from(bytes))).toEqual(["text"]);
  for (const shift of ["", "x", "xx"])
    expect(find(Buffer.from(Buffer.from(shift + text).toString("base64")))).toEqual(["text"]);
  expect(find(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }))).toEqual(["text, deflated"]);
  expect(find(Buffer.from(`[${CLEARLY.slice(0, -1)}]`))).toEqual([]);
  rmSync(folder, { recursive: true });
});
