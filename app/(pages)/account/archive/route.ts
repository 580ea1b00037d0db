import { create as contentDisposition } from "content-disposition";
import { currentUser } from "@/lib/accounts/session/current-user";
import { hasRecentProof } from "@/lib/accounts/session/proof";
import { streamOf } from "@/lib/platform/http/response";
import { accountArchive } from "@/lib/user-data/archive";
import { confirmFirst, download, PRIVATE, requireOwnPage } from "../../download";
import { pageOrigin } from "../../visitor";

/** All data of the signed-in user as a ZIP archive, produced while it is sent. The page asks for a proof before. */
export const GET = download("the archive", async (request) => {
  const user = await currentUser();
  if (!user) return Response.redirect(`${await pageOrigin()}/signin?next=/account`);
  requireOwnPage(request);
  if (!(await hasRecentProof(user)))
    return confirmFirst("open your account page, and press “Download everything” under “Export your data”");
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(accountArchive(user)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": contentDisposition(`latchkey-${user.username}-${day}.zip`),
      ...PRIVATE,
    },
  });
});
