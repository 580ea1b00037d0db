import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { constants, deflateRawSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkSecrets } from "@/lib/auth/secrets-in-use";
import { writeBackup } from "@/lib/backup/write";
import { db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { beginUpload } from "@/lib/files/begin-upload";
import { importDocument } from "@/lib/files/import";
import { putFile } from "@/lib/files/put-file";
import { addPart, finishUpload } from "@/lib/files/upload";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { updateKey } from "@/lib/keys/update";
import { Traces } from "@/tests/support/traces";
import { makeUser } from "@/tests/support/user";

const MARK = `marked-${randomBytes(12).toString("hex")}`;
const CLEAR = `clear-${randomBytes(12).toString("hex")}`;
const NAMED = `named-${randomBytes(12).toString("hex")}`;

/** The files of the database of this process: also those of its server, and where the pieces of files are in them. */
async function filesOfDatabase(): Promise<{ folders: string[]; pieces: string[] }> {
  if (!env.DATABASE_URL) return { folders: [env.DATA_DIR], pieces: ["latchkey.db"] };
  await db.$executeRaw`CHECKPOINT`;
  const [place] = await db.$queryRaw<{ data: string; pieces: string; toast: string }[]>`
    SELECT current_setting('data_directory') AS data, pg_relation_filepath('"FileContent"') AS pieces,
      pg_relation_filepath(reltoastrelid) AS toast FROM pg_class WHERE oid = '"FileContent"'::regclass`;
  if (!place) throw new Error("There is no table of pieces.");
  const ofDatabase = join(place.data, place.pieces, "..");
  return { folders: [ofDatabase, join(place.data, "pg_wal")], pieces: [place.pieces, place.toast] };
}

test("what users store is in no file of the database and in no backup, but what is not sealed is", async () => {
  await checkSecrets("service");
  const user = await makeUser();
  const caller = { ...user, role: "user" } as const;
  const root = [".folder", user.username, "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "f".repeat(32)];
  const place = `origin/(c) users/${user.username}`;
  const entry = [".txt", "a", place, `${MARK} imported`, null, 0, 0.5, "0", 1, 2, "", 3, [], "0".repeat(32)];
  const document = (async function* () {
    yield Buffer.from(JSON.stringify([...root, ...entry]));
  })();
  await importDocument(user, document);
  await putFile(user, undefined, { name: "b.txt", bytes: Buffer.from(`${MARK} whole`), onExisting: "refuse" });
  const part = Buffer.from(`${MARK} in a part`);
  const large = { name: "c.bin", totalBytes: part.length, isText: false, onExisting: "refuse" } as const;
  const { uploadId } = await beginUpload(user, undefined, large);
  await addPart(user, uploadId, 0, part);
  await finishUpload(user, uploadId);
  const { id } = await createKey(caller, { data: `${MARK} created`, price: "1", name: NAMED });
  await updateKey(caller, await findKey(caller, id), { field: "data", value: `${MARK} updated` });

  const [stored, named] = [new Traces({ stored: MARK }), new Traces({ name: NAMED })];
  const { folders, pieces } = await filesOfDatabase();
  const arePieces = (file: string) => pieces.some((name) => file.includes(name));
  expect(folders.flatMap((folder) => stored.inFiles(folder, arePieces))).toEqual([]);
  expect(folders.flatMap((folder) => named.inFiles(folder))).not.toEqual([]);

  // A piece that is not sealed would have been found.
  const clear = new Traces({ clear: CLEAR });
  const deflated = deflateRawSync(`["${CLEAR}"]`, { finishFlush: constants.Z_SYNC_FLUSH });
  const { pieceId } = await db.fileContent.findFirstOrThrow({ where: { piece: { userId: user.id } } });
  await db.fileContent.update({ where: { pieceId }, data: { deflated, sealedWith: null } });
  await filesOfDatabase();
  const found = folders.flatMap((folder) => clear.inFiles(folder, arePieces));
  expect(found).toContainEqual(expect.stringMatching(/^clear, deflated in /));

  const backups = mkdtempSync(join(env.DATA_DIR, "backups-"));
  await writeBackup(join(backups, "sealed"));
  await writeBackup(join(backups, "open"), new Date(), { passphrase: "seven marbles under the stairs" });
  const secret = new Traces({ stored: MARK, secret: String(env.AUTH_SECRET) });
  for (const name of ["sealed", "open"]) {
    const text = gunzipSync(readFileSync(join(backups, name)));
    expect([secret.in(text), clear.in(text), named.in(text)]).toEqual([[], [], ["name"]]);
  }
  await db.user.delete({ where: { id: user.id } });
});
