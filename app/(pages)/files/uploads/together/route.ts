import { z } from "zod";
import { putFiles } from "@/lib/files/create";
import { MAX_TOGETHER, onExisting } from "@/lib/files/schema";
import { usedNames } from "@/lib/files/upload";
import { type ApiError, invalidParameter } from "@/lib/platform/errors";
import { read } from "../../../action";
import { requireProofToReplace } from "../../../visitor";
import { fromOurPage, parsed, readJson, readPart } from "../../request";

const LINE_FEED = 10;
const smallFiles = z.object({
  folder: z.string(),
  existing: onExisting,
  files: z
    .array(
      z.object({
        id: z.string().regex(/^[0-9a-f]{32}$/),
        name: z.string(),
        size: z.number().int().min(0),
        modified: z.number().optional(),
      }),
    )
    .max(MAX_TOGETHER),
});

/**
 * Stores small files in one folder. The body is a line of JSON, which names them, and then the bytes of one after the
 * other. Returns `files`, for each `{}` or why it was refused.
 */
export const PUT = fromOurPage(async ({ user, request }) => {
  const body = await readPart(request);
  const begin = body.indexOf(LINE_FEED) + 1;
  const { folder, existing, files } = read(smallFiles, parsed(body.subarray(0, begin)));
  await requireProofToReplace(user, existing);
  let end = begin;
  const contents = files.map(({ id, name, size, modified }) => {
    end += size;
    return { id, name, bytes: body.subarray(end - size, end), modified };
  });
  if (end !== body.length) throw invalidParameter("The upload was incomplete. Try again.");
  return inTurn(await putFiles(user, folder, { files: contents, onExisting: existing }));
});

const names = z.object({ folder: z.string(), names: z.array(z.string()).max(MAX_TOGETHER) });

/** Whether a folder has files of these names already. Returns `files`, for each `{}` or why it would be refused. */
export const POST = fromOurPage(async ({ user, request }) => {
  const { folder, names: compared } = read(names, await readJson(request));
  return inTurn(await usedNames(user, folder, compared));
});

const inTurn = (refusals: (ApiError | undefined)[]) => ({
  files: refusals.map((refusal) => (refusal ? { ...refusal.details, error: refusal.message, code: refusal.code } : {})),
});
