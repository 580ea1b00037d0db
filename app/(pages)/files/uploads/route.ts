import { z } from "zod";
import { putFile } from "@/lib/files/put-file";
import { beginUpload } from "@/lib/files/upload";
import { fromOurPage } from "../from-our-page";
import { readPart } from "../read-body";
import { read, readJson } from "../read-sent";

const onExisting = z.enum(["refuse", "keep", "replace"]);
const wholeFile = z.object({ folder: z.string(), name: z.string(), existing: onExisting });
const largeFile = z.object({ folder: z.string(), name: z.string(), existing: onExisting, totalBytes: z.number().int().min(0), isText: z.boolean() });

/** Stores a file that comes whole in the body. */
export const PUT = fromOurPage(async ({ user, query, request }) => {
  const { folder, name, existing } = read(wholeFile, Object.fromEntries(query));
  return putFile(user, folder, { name, bytes: await readPart(request), onExisting: existing });
});

/** Begins the upload of a file that comes in parts; its parts go to /files/uploads/<id>. */
export const POST = fromOurPage(async ({ user, request }) => {
  const { folder, name, existing, totalBytes, isText } = read(largeFile, await readJson(request));
  return beginUpload(user, folder, { name, totalBytes, isText, onExisting: existing });
});
