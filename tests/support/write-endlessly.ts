// Run in its own process: node --import tsx tests/support/write-endlessly.ts <user id> <username> <bytes>
// Prints a line when it begins, and one for each file that it uploads in parts and moves into a folder, one after
// another until it is killed.

import { beginUpload } from "@/lib/files/begin-upload";
import { openFolder } from "@/lib/files/create-folder";
import { moveEntries } from "@/lib/files/move";
import { addPart, finishUpload } from "@/lib/files/upload";

const PART_BYTES = 1_000_000;

const [id = "", username = "", size] = process.argv.slice(2);
const user = { id, username };
const bytes = Buffer.alloc(Number(size), "The same bytes in every file. ");
process.stdout.write("writing\n");
for (let n = 0; ; n++) {
  const name = `${n}.bin`;
  const { uploadId } = await beginUpload(user, undefined, {
    name,
    totalBytes: bytes.length,
    isText: false,
    onExisting: "keep",
  });
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    await addPart(user, uploadId, from, bytes.subarray(from, from + PART_BYTES));
  const { id } = await finishUpload(user, uploadId);
  const folder = await openFolder(user, undefined, "uploaded");
  await moveEntries(user, [id], folder.id, "keep");
  process.stdout.write("stored\n");
}
