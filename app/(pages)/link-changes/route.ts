import { headers } from "next/headers";
import { currentUser } from "@/lib/accounts/session/current-user";
import { refusalOf } from "@/lib/api/refusal";
import { openTicket } from "@/lib/link/ticket";
import { isViewChanged } from "@/lib/link/view";
import { streamOf } from "@/lib/platform/http/response";
import { clientNetwork } from "@/lib/platform/network/client";
import { clientSignal } from "@/lib/platform/request";
import { isFromElsewhere } from "../visitor";

/**
 * Tells the link page when its request is no longer at the `version` that it shows: the body then ends with "changed",
 * and after 25 seconds without it. "unknown": the session has ended, or has not entered the request. The ticket comes
 * in a header, because it contains the code. The first byte comes immediately: until then, the response would hold the
 * turn of its network.
 */
export async function GET(request: Request): Promise<Response> {
  const user = await currentUser();
  const entered = openTicket(request.headers.get("Link-Ticket") ?? "")?.request;
  if (isFromElsewhere(request.headers)) return new Response(null, { status: 403 });
  if (!user || entered?.sessionId !== user.sessionId) return new Response("unknown", { headers: HEADERS });
  const viewer = { id: user.id, network: clientNetwork(await headers()) };
  const version = new URL(request.url).searchParams.get("version") ?? "";
  const signal = clientSignal() ?? request.signal;
  const { linkId } = entered;
  return new Response(streamOf(changes(() => isViewChanged(viewer, linkId, { version, signal }))), {
    headers: HEADERS,
  });
}

const HEADERS = { "Content-Type": "text/plain", "Cache-Control": "no-store" };

/** `wait` begins once the first byte is read: a failure before that would be nobody's, and end the process. */
async function* changes(wait: () => Promise<boolean>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode("\n");
  const isChanged = await wait().catch((thrown) => {
    refusalOf(thrown, "changes of a link could not be read");
    return false;
  });
  if (isChanged) yield encoder.encode("changed");
}
