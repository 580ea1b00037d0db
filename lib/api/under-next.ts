import { ApiError } from "@/lib/platform/errors";
import { inOrder } from "@/lib/platform/event-loop";
import { errorResponse, refusedCall } from "@/lib/platform/http/response";
import { OPEN_TO_ALL, refuseBlocked } from "@/lib/platform/network/blocked";
import { clientNetwork } from "@/lib/platform/network/client";
import { PROBED, requireOwnHost } from "@/lib/platform/network/host";
import { isBehindServer } from "@/lib/platform/network/network";
import { isCall, refusalPage } from "./refusal";

const start = inOrder();

interface Handled {
  /** An address or its pattern. */
  route: string;
  /** Whether a refusal is a page; left out where it never is. */
  isForPerson?: (request: Request) => boolean;
  /** Headers of a refusal. */
  common?: Record<string, string>;
}

/**
 * What `server.ts` does before Next, for handlers without it: waits for the request's turn, and returns the refusal if
 * it is from a blocked network, or for a host that is not this service's. Undefined for all others. Monitors may use
 * any host.
 */
export async function refusedUnderNext(
  request: Request,
  { route, isForPerson, common = {} }: Handled,
): Promise<Response | undefined> {
  if (isBehindServer()) return undefined;
  const { method, headers } = request;
  // Nobody waits for what comes from another address. It is believed: who forges it waits for as many as without it.
  await new Promise<void>((begin) => start(begin, `${headers.get("x-forwarded-for")} ${route}`));
  if (OPEN_TO_ALL.includes(route)) return undefined;
  try {
    if (!PROBED.includes(route)) requireOwnHost(headers);
    await refuseBlocked(clientNetwork(headers));
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (isCall(method, headers.get("next-action"))) return refusedCall(thrown);
    return isForPerson?.(request) ? refusalPage(thrown, common) : errorResponse(thrown, common);
  }
}
