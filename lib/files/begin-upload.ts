import { type Statements, transaction } from "@/lib/db/client";
import { requireFreeSpace } from "@/lib/db/free-space";
import { lockUser } from "@/lib/db/lock";
import { invalidParameter } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { refreshDrafts } from "./change/draft";
import { formsOf } from "./change/taken-names";
import { checkUploadQuota, storedBytes } from "./change/upload-quota";
import { type FileOwner, USERS } from "./document/entry";
import { checkName } from "./document/names";
import { ROOT_NAME } from "./document/paths";
import { entryNotFound, nameTaken } from "./errors";
import { displayName, summaryOf } from "./index/entry-row";
import { entriesNamed } from "./index/find-rows";
import { findFolder } from "./index/folders";
import { indexedDocument } from "./index/indexed-document";
import type { OnExisting } from "./on-existing";
import { filesSummary } from "./summary";

/** A file to be uploaded in parts. */
interface AnnouncedFile {
  name: string;
  totalBytes: number;
  /** Its data becomes text instead of a data: URL. */
  isText: boolean;
  /** When it was last changed, in Unix ms, as its sender says. Without it, no earlier upload of it is resumed. */
  modified?: number;
  onExisting: OnExisting;
}

/**
 * Begins an upload in parts, or resumes an unfinished one of the same file into the same folder; one without progress
 * is given up later (lib/files/unfinished-uploads.ts). Throws as `putFile` does, 400 `invalid_parameter` for the size,
 * 429 `too_many_uploads`.
 */
export async function beginUpload(
  user: FileOwner,
  parentId: string | undefined,
  file: AnnouncedFile,
  now: Date = new Date(),
): Promise<{ uploadId: string; received: number }> {
  const { name, totalBytes, isText, onExisting } = file;
  checkName(name);
  if (!Number.isSafeInteger(totalBytes) || totalBytes < 0)
    throw invalidParameter("The size of a file is a whole number of bytes.");
  const document = await indexedDocument(user.id);
  if (document || parentId) {
    const folder = document && (await findFolder(document, parentId));
    if (!folder) throw entryNotFound();
    const [existing] = onExisting === "refuse" ? await entriesNamed(user.id, folder.pathKey, formsOf(name)) : [];
    const isRoot = folder.parentKey === document.keys.ofPath(USERS);
    if (existing) throw nameTaken(isRoot ? ROOT_NAME : displayName(folder), { name, existing: summaryOf(existing) });
  }
  await requireFreeSpace();
  return transaction(async (tx) => {
    // So that two that begin concurrently see each other.
    await lockUser(tx, user.id);
    const begun = await resumed(tx, user.id, parentId ?? "", file, now);
    if (begun) return begun;
    const id = newId();
    await checkUploadQuota(tx, user.id, await filesSummary(user.id, tx), storedBytes(totalBytes, isText));
    await tx.fileDraft.create({ data: { id, userId: user.id, refreshedAt: now } });
    await tx.fileUpload.create({
      data: {
        id,
        userId: user.id,
        folderId: parentId ?? "",
        name,
        onExisting,
        isText,
        totalBytes: BigInt(totalBytes),
        modified: file.modified === undefined ? null : BigInt(file.modified),
        received: 0n,
        carry: "",
        length: 0n,
      },
    });
    return { uploadId: id, received: 0 };
  });
}

/** The unfinished upload of the same file into this folder, if there is one. */
async function resumed(
  tx: Statements,
  userId: string,
  folderId: string,
  { name, totalBytes, isText, modified, onExisting }: AnnouncedFile,
  now: Date,
): Promise<{ uploadId: string; received: number } | undefined> {
  if (modified === undefined) return undefined;
  const same = { userId, folderId, name, totalBytes: BigInt(totalBytes), isText, modified: BigInt(modified) };
  const begun = await tx.fileUpload.findFirst({
    where: { ...same, draft: { refreshedAt: { not: null } } },
    orderBy: [{ received: "desc" }, { id: "asc" }],
    select: { id: true, received: true },
  });
  if (!begun) return undefined;
  await refreshDrafts(tx, [begun.id], now);
  await tx.fileUpload.update({ where: { id: begun.id }, data: { onExisting } });
  return { uploadId: begun.id, received: Number(begun.received) };
}
