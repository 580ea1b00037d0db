import { create as contentDisposition } from "content-disposition";
import { currentUser } from "@/lib/accounts/session/current-user";
import { hasRecentProof } from "@/lib/accounts/session/proof";
import { keysCsv } from "@/lib/keys/export";
import { streamOf } from "@/lib/platform/http/response";
import { confirmFirst, download, PRIVATE, requireOwnPage } from "../download";
import { pageOrigin } from "../visitor";

/** The list of keys that the page shows, as a file for spreadsheets, produced while it is sent. It needs a proof. */
export const GET = download("the list of keys", async (request) => {
  const user = await currentUser();
  if (!user) return Response.redirect(`${await pageOrigin()}/signin?next=/keys`);
  requireOwnPage(request);
  if (!(await hasRecentProof(user))) return confirmFirst("open your keys, and press “Download as CSV” below them");
  const query = new URL(request.url).searchParams;
  const kind = query.get("list") === "given" ? "given" : "made";
  return new Response(streamOf(keysCsv(user, { kind, search: query.get("search") ?? "" })), {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": contentDisposition(
        kind === "given" ? "keys-from-others.csv" : `keys-of-${user.username}.csv`,
      ),
      ...PRIVATE,
    },
  });
});
