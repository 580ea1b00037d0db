import { create as contentDisposition } from "content-disposition";
import { requireRecentProof } from "@/lib/auth/recent-proof";
import { exportDocument } from "@/lib/files/export";
import { streamOf } from "@/lib/http/stream";
import { fromOurPage } from "../from-our-page";

/** Everything that the user has stored, as the document that can be imported. The page asks for a proof before. */
export const GET = fromOurPage(async ({ user }) => {
  await requireRecentProof(user);
  return new Response(streamOf(await exportDocument(user.id)), {
    headers: {
      "Content-Type": "application/json",
      "Content-Disposition": contentDisposition(`${user.username}-files.json`),
    },
  });
});
