import { accountArchive } from "@/lib/account/archive";
import { currentUser } from "@/lib/auth/session";
import { streamOf } from "@/lib/http/stream";
import { pageOrigin } from "../../origin";
import { isFromElsewhere } from "../../our-origin";

/** Everything of the signed-in user's, as a ZIP archive that is made while it is sent. */
export async function GET(request: Request): Promise<Response> {
  const user = await currentUser();
  if (!user) return Response.redirect(`${await pageOrigin()}/signin?next=/account`);
  // Another site's page, or its frame, could make the service work for nothing.
  if (isFromElsewhere(request.headers)) return new Response(null, { status: 403 });
  const day = new Date().toISOString().slice(0, 10);
  return new Response(streamOf(accountArchive(user)), {
    headers: {
      "Content-Type": "application/zip",
      "Content-Disposition": `attachment; filename="latchkey-${user.username}-${day}.zip"`,
      "Cache-Control": "no-store",
    },
  });
}
