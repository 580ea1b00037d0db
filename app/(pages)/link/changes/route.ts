import { headers } from "next/headers";
import { currentUser } from "@/lib/accounts/current-user";
import { refusalOf } from "@/lib/api/refusal";
import { isViewChanged } from "@/lib/link/view";
import { foreignOrigin, notFound } from "@/lib/platform/errors";
import { clientNetwork } from "@/lib/platform/network/network";
import { clientSignal } from "@/lib/platform/request";
import { isFromElsewhere } from "../../outcome";
import { storedTickets } from "../ticket-cookie";

/**
 * 200 as soon as a request of this browser's session is no longer as its page shows it, 204 if nothing changes for 25
 * seconds. The body is empty: the page refreshes itself.
 */
export async function GET(request: Request): Promise<Response> {
  try {
    const { searchParams } = new URL(request.url);
    const [user, tickets] = await Promise.all([currentUser(), storedTickets()]);
    const entered = tickets.find(({ id }) => id === searchParams.get("request"))?.request;
    if (isFromElsewhere(request.headers)) throw foreignOrigin();
    if (!user || entered?.sessionId !== user.sessionId) throw notFound();
    const isChanged = await isViewChanged({ id: user.id, network: clientNetwork(await headers()) }, entered.linkId, {
      version: searchParams.get("version") ?? "",
      signal: clientSignal() ?? request.signal,
    });
    return respond(isChanged ? 200 : 204);
  } catch (thrown) {
    return respond(refusalOf(thrown, "a link could not be followed").status);
  }
}

const respond = (status: number) => new Response(null, { status, headers: { "Cache-Control": "no-store" } });
