import { z } from "zod";
import { addPart, cancelUpload, finishUpload, howItEnds, uploadState } from "@/lib/files/upload";
import { read } from "../../../action";
import { requireProofToReplace } from "../../../visitor";
import { fromOurPage, readPart } from "../../request";

type Params = { id: string };
const part = z.object({ offset: z.coerce.number().int().min(0) });

/** How much of the file has arrived. */
export const GET = fromOurPage<Params>(({ user, params }) => uploadState(user, params.id));

/** Stores the part that begins at the byte `offset`. */
export const PUT = fromOurPage<Params>(async ({ user, params, query, request }) => {
  const { offset } = read(part, Object.fromEntries(query));
  await requireProofToReplace(user, await howItEnds(user, params.id));
  return addPart(user, params.id, { offset, bytes: await readPart(request) });
});

/** Moves the completely received file into its folder. */
export const POST = fromOurPage<Params>(async ({ user, params }) => {
  await requireProofToReplace(user, await howItEnds(user, params.id));
  return finishUpload(user, params.id);
});

/** Gives the upload up. */
export const DELETE = fromOurPage<Params>(({ user, params }) => cancelUpload(user, params.id));
