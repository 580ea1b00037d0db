import { type PassThrough, Readable } from "node:stream";
import { ZipFile } from "yazl";
import { db } from "@/lib/db/client";
import { ApiError } from "@/lib/errors";
import { exportDocument } from "@/lib/files/export";
import { blockedGivers } from "@/lib/keys/blocks";
import type { Viewer } from "@/lib/keys/find";
import { keysOf } from "@/lib/keys/mine";
import { linkedPrograms } from "@/lib/link/programs";
import { overviewOf } from "./overview";

/** So much of a part is written before it takes a place of its own among the others' bytes. */
const CHUNK = 64 * 1024;

/**
 * Everything that is kept for a user, as a ZIP archive: `account.json`, `keys.json` (the answer of /keys/mine) and, where there
 * are files, `files.json` (the answer of /read-files, which can be imported again). It is made while it is read, in constant
 * memory. Throws in the middle rather than end early.
 */
export async function* accountArchive(user: Viewer): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const parts: Readable[] = [];
  zip.on("error", (error) => output.destroy(error as Error));
  const add = (name: string, bytes: AsyncIterable<Uint8Array>) =>
    zip.addReadStreamLazy(name, (done) => {
      const part = Readable.from(bytes, { objectMode: false, highWaterMark: CHUNK });
      parts.push(part);
      part.once("error", (error) => output.destroy(error));
      done(null, part);
    });

  zip.addBuffer(Buffer.from(JSON.stringify(await accountOf(user), null, 2)), "account.json");
  add("keys.json", keysText(user));
  const files = await filesText(user.id);
  if (files) add("files.json", files);
  zip.end();
  try {
    yield* output;
  } finally {
    for (const part of parts) part.destroy();
    output.destroy();
  }
}

async function accountOf({ id }: Viewer) {
  const identities = await db.identity.findMany({ where: { userId: id }, select: { provider: true, accountId: true, createdAt: true } });
  return { ...(await overviewOf(id)), identities, programs: await linkedPrograms(id), blocked: await blockedGivers({ id }) };
}

async function* keysText(user: Viewer): AsyncGenerator<Uint8Array> {
  const { pages } = await keysOf(user, {});
  let before = "[";
  for await (const page of pages)
    for (const record of page) {
      yield Buffer.from(`${before}\n${JSON.stringify(record)}`);
      before = ",";
    }
  yield Buffer.from(before === "[" ? "[]\n" : "\n]\n");
}

async function filesText(userId: string): Promise<AsyncIterable<Uint8Array> | null> {
  try {
    return await exportDocument(userId);
  } catch (error) {
    if (error instanceof ApiError && error.code === "no_files") return null;
    throw error;
  }
}
