// Run in its own process: write-files <imports|uploads> <id> <username> <bytes>
// Prints a line when it begins, and one for each document that it imports, or file that it uploads in parts and moves
// into a folder, one after another until it is killed.
// Or: write-files some <id> <username> <count> <prefix>
// Writes so many files into the root folder, several at a time, and ends.

import { openFolder, putFile } from "@/lib/files/create";
import { importDocument } from "@/lib/files/import";
import { moveEntries } from "@/lib/files/move";
import { addPart, beginUpload, finishUpload } from "@/lib/files/upload";
import { closeDatabase } from "@/lib/platform/db/client";
import { largeDocument } from "@/tests/support/documents";

const PART_BYTES = 1_000_000;

const [what, id = "", username = "", size, prefix = ""] = process.argv.slice(2);
const user = { id, username };

if (what === "some") {
  const names = Array.from({ length: Number(size) }, (_, n) => `${prefix}${n}.txt`);
  await Promise.all(
    names.map((name) => putFile(user, undefined, { name, bytes: Buffer.from(name), onExisting: "refuse" })),
  );
  await closeDatabase();
  process.exit(0);
}

const bytes = Buffer.alloc(Number(size), "The same bytes in every file. ");

async function uploadOne(n: number): Promise<void> {
  const file = { name: `${n}.bin`, totalBytes: bytes.length, isText: false, onExisting: "keep" } as const;
  const { uploadId } = await beginUpload(user, undefined, file);
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    await addPart(user, uploadId, { offset: from, bytes: bytes.subarray(from, from + PART_BYTES) });
  const { id } = await finishUpload(user, uploadId);
  const folder = await openFolder(user, undefined, { name: "uploaded" });
  await moveEntries(user, [id], { to: folder.id, onExisting: "keep" });
}

process.stdout.write("writing\n");
for (let n = 0; ; n++) {
  if (what === "uploads") await uploadOne(n);
  else await importDocument(user, largeDocument(username, "few", bytes.length));
  process.stdout.write("stored\n");
}
