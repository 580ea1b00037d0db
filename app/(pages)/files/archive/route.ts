import { z } from "zod";
import { requireRecentProof } from "@/lib/accounts/session/proof";
import { MAX_ID } from "@/lib/files/schema";
import { zipEntries } from "@/lib/files/zip";
import { streamOf } from "@/lib/platform/http/response";
import { read } from "../../action";
import { fromOurPage, readJson } from "../request";

// More than an archive accepts, so that its own refusal applies.
const body = z.object({ ids: z.array(z.string().max(MAX_ID)).min(1).max(1_500) });

/** Selected files and folders as a ZIP archive, produced while it is sent. The page requires a proof before. */
export const POST = fromOurPage(async ({ user, request }) => {
  await requireRecentProof(user);
  const { ids } = read(body, await readJson(request));
  return new Response(streamOf(await zipEntries(user, ids)), {
    headers: { "Content-Type": "application/zip", "Content-Disposition": "attachment" },
  });
});
