import { importDocument } from "@/lib/files/import";
import { EntriesRefused } from "@/lib/files/import-report";
import { clientNetwork } from "@/lib/network";
import { fromOurPage } from "../from-our-page";
import { bodyOf } from "../read-body";

/**
 * Replaces everything that the user has stored by the document in the body, which is stored as it arrives. What cannot be imported of it is
 * answered as a list, and left out where `leave` says how many entries those are.
 */
export const POST = fromOurPage(({ user, query, request }) => {
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
