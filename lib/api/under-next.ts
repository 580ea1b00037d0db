import { ApiError } from "@/lib/platform/errors";
import { inOrder } from "@/lib/platform/event-loop";
import { asResponse, errorAnswer } from "@/lib/platform/http/response";
import { OPEN_TO_ALL, refuseBlocked } from "@/lib/platform/network/blocked";
import { clientNetwork } from "@/lib/platform/network/client";
import { PROBED, requireOwnHost } from "@/lib/platform/network/host";
import { isBehindServer } from "@/lib/platform/network/network";
import { refusalAnswer } from "./refusal";

const start = inOrder();

interface Handled {
  /** An address or its pattern. */
  route: string;
  /** Whether it is one of the pages' addresses, where a person gets a page. */
  isOfPages?: boolean;
  /** Headers of a refusal by the API. */
  common?: Record<string, string>;
}

/**
 * What `server.ts` does before Next, for handlers without it: waits for the request's turn, and returns the refusal if
 * it is from a blocked network, or for a host that is not this service's. Undefined for all others. Monitors may use
 * any host.
 */
export async function refusedUnderNext(
  request: Request,
  { route, isOfPages, common }: Handled,
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
    const header = (name: string) => headers.get(name);
    return asResponse(isOfPages ? refusalAnswer(thrown, method, header) : errorAnswer(thrown, common));
  }
}
