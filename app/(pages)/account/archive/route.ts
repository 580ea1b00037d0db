import { create as contentDisposition } from "content-disposition";
import { hasRecentProof } from "@/lib/accounts/confirm";
import { currentUser } from "@/lib/accounts/current-user";
import { wouldAppend } from "@/lib/platform/http/headers";
import { streamOf } from "@/lib/platform/http/response";
import { accountArchive } from "@/lib/user-data/archive";
import { confirmFirst, isFromElsewhere, pageOrigin } from "../../outcome";

/** All data of the signed-in user as a ZIP archive, produced while it is sent. The page asks for a proof before. */
export async function GET(request: Request): Promise<Response> {
  const user = await currentUser();
  if (!user) return Response.redirect(`${await pageOrigin()}/signin?next=/account`);
  // Another site's page or frame could put load on the service.
  if (isFromElsewhere(request.headers)) return new Response(null, { status: 403 });
  if (wouldAppend(request.headers)) return new Response(null, { status: 412 });
  if (!(await hasRecentProof(user)))
    return confirmFirst("open your account page, and press “Download everything” under “Export your data”");
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(accountArchive(user)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": contentDisposition(`latchkey-${user.username}-${day}.zip`),
      "Cache-Control": "no-store",
    },
  });
}
