import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { beginUpload } from "@/lib/files/begin-upload";
import { createFolder } from "@/lib/files/create-folder";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { putFile } from "@/lib/files/put-file";
import { addPart, cancelUpload, finishUpload } from "@/lib/files/upload";
import { chunks, file, idOf, root, smallDocument, values } from "./documents";
import { isFolder, type ModelEntry, madeEntry, pathOf, splitNameOf } from "./file-model";
import { entriesOf } from "./indexed";
import { modes, type Numbers, names, pick, type StoreAndModel } from "./store-and-model";

export async function addFolder(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const [parent, name] = [pair.folderAt(one), pick(names, two) ?? ""];
  if (pair.model.named(parent, name))
    return pair.refused(createFolder(pair.user, parent.id, name, pair.date), 409, "name_taken");
  const { id } = await createFolder(pair.user, parent.id, name, pair.date);
  await learnRoot(pair);
  pair.model.add(
    madeEntry({ id, type: ".folder", name, location: pathOf(parent) }, [], pair.user.username, pair.now),
    pair.now,
  );
}

export async function put(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const [parent, name, onExisting] = [pair.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
  const text = pick(["", "x", 'ä"\\\n😀'.repeat(three % 400), "y".repeat(270_000), "z\n".repeat(60_000)], three) ?? "";
  const bytes = three % 3 === 0 ? randomBytes(three % 5 === 0 ? 400_000 : 100) : Buffer.from(text);
  const existing = pair.model.named(parent, name);
  const storing = putFile(pair.user, parent.id, { name, bytes, onExisting }, pair.date);
  if (existing && (onExisting === "refuse" || (onExisting === "replace" && isFolder(existing))))
    return pair.refused(storing, 409, "name_taken");
  const summary = await storing;
  await learnRoot(pair);
  const final = onExisting === "keep" ? pair.model.freeName(parent, name, false) : name;
  expect(summary).toMatchObject({ name: final, size: bytes.length });
  await learnFile(pair, summary.id, parent, final, bytes);
}

export async function upload(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const [parent, name, onExisting] = [pair.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
  const isText = three % 2 === 0;
  const bytes = isText ? Buffer.from('ä😀\n"'.repeat(three % 90_000)) : randomBytes(three % 900_000);
  const existing = pair.model.named(parent, name);
  const begin = beginUpload(pair.user, parent.id, { name, totalBytes: bytes.length, isText, onExisting }, pair.date);
  if (existing && onExisting === "refuse") return pair.refused(begin, 409, "name_taken");
  const { uploadId } = await begin;
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 100_000 + ((one + offset) % 200_000);
    offset = (await addPart(pair.user, uploadId, offset, bytes.subarray(offset, end))).received;
  }
  if (one % 5 === 0) return cancelUpload(pair.user, uploadId);
  const finish = finishUpload(pair.user, uploadId, pair.date);
  if (existing && onExisting === "replace" && isFolder(existing)) {
    await pair.refused(finish, 409, "name_taken");
    return cancelUpload(pair.user, uploadId);
  }
  const summary = await finish;
  await learnRoot(pair);
  const final = onExisting === "keep" ? pair.model.freeName(parent, name, false) : name;
  expect(summary).toMatchObject({ name: final, size: bytes.length, isText });
  await learnFile(pair, summary.id, parent, final, bytes);
}

export async function replaceAll(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const many = Array.from({ length: one % 3 === 0 ? 1_500 : 3 }, (_, n) =>
    values(file(pair.user.username, 100 + n, `${n}`.repeat(two % 500))),
  );
  const document =
    one % 5 === 0
      ? [...values(root(pair.user.username, JSON.stringify([idOf(9)]))), ...many.flat()]
      : smallDocument(pair.user.username, "s".repeat(two % 600_000));
  // A list of children that fills whole pieces: none of them exists, which an import accepts.
  const list = Array.from({ length: 9_000 }, (_, n) => idOf(n + 1_000));
  if (one % 2 === 0) document[3] = two % 2 === 0 ? list : JSON.stringify(list);
  if (one % 2 === 0) document[11] = list.length;
  await importDocument(pair.user, chunks(JSON.stringify(document)), { now: pair.date });
  pair.model.replace(document);
  pair.deleted.length = 0;
}

async function learnRoot(pair: StoreAndModel): Promise<void> {
  if (pair.model.root) return;
  const { folder } = await listFolder(pair.user.id, { sort: "name", descending: false, limit: 1 });
  pair.model.entries.set(folder.id, {
    ...pair.folderAt(0),
    id: folder.id,
    values: pair.folderAt(0).values.with(13, folder.id),
  });
}

/** Takes over the stored data, after checking that it encodes the bytes. */
async function learnFile(
  pair: StoreAndModel,
  id: string,
  parent: ModelEntry,
  name: string,
  bytes: Buffer,
): Promise<void> {
  const stored = entriesOf(JSON.parse(await pair.text())).find((entry) => entry[13] === id);
  const data = String(stored?.[3]);
  expect(
    (/^data:[^,]*;base64,/.test(data)
      ? Buffer.from(data.slice(data.indexOf(",") + 1), "base64")
      : Buffer.from(data)
    ).equals(bytes),
  ).toBe(true);
  const head = { id, ...splitNameOf(name), location: pathOf(parent) };
  pair.model.add(madeEntry(head, data, pair.user.username, pair.now), pair.now);
}
