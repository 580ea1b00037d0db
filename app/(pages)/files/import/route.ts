import { requireRecentProof } from "@/lib/accounts/session/proof";
import { EntriesRefused } from "@/lib/files/errors";
import { importDocument } from "@/lib/files/import";
import { clientNetwork } from "@/lib/platform/network/client";
import { bodyOf, fromOurPage } from "../request";

/**
 * Replaces everything the user has stored with the document in the body, which is stored as it arrives. Entries that
 * cannot be imported are returned as a list, or skipped if `leave` is their number. The page requires a proof before.
 */
export const POST = fromOurPage(async ({ user, query, request }) => {
  await requireRecentProof(user);
  const leave = query.get("leave");
  const { id, kind } = clientNetwork(request.headers);
  const leaving = leave === null ? "nothing" : Number(leave);
  return importDocument(user, bodyOf(request), { leaving, network: kind === "remote" ? id : undefined }).catch(asList);
});

function asList(thrown: unknown): Response {
  if (!(thrown instanceof EntriesRefused)) throw thrown;
  const { message, code, status, report } = thrown;
  return Response.json({ error: message, code, report }, { status });
}
