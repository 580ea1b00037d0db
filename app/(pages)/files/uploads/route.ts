import { z } from "zod";
import { putFile } from "@/lib/files/create";
import { onExisting } from "@/lib/files/schema";
import { beginUpload } from "@/lib/files/upload";
import { read } from "../../action";
import { requireProofToReplace } from "../../visitor";
import { fromOurPage, readJson, readPart } from "../request";

const singleFile = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  folder: z.string(),
  name: z.string(),
  existing: onExisting,
  modified: z.coerce.number().optional(),
});
const largeFile = z.object({
  folder: z.string(),
  name: z.string(),
  existing: onExisting,
  totalBytes: z.number().int().min(0),
  isText: z.boolean(),
  modified: z.number().int(),
});

/** Stores a file sent in one body; once, if it is sent again with the same id. */
export const PUT = fromOurPage(async ({ user, query, request }) => {
  const { id, folder, name, existing, modified } = read(singleFile, Object.fromEntries(query));
  await requireProofToReplace(user, existing);
  return putFile(user, folder, { id, name, bytes: await readPart(request), modified, onExisting: existing });
});

/** Begins or resumes the upload of a file in parts, which go to /files/uploads/<id>. */
export const POST = fromOurPage(async ({ user, request }) => {
  const { folder, existing, ...file } = read(largeFile, await readJson(request));
  await requireProofToReplace(user, existing);
  return beginUpload(user, folder, { ...file, onExisting: existing });
});
