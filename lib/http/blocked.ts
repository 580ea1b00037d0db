import { refuseBlocked } from "@/lib/blocked-networks/known";
import { ApiError } from "@/lib/errors";
import { clientNetwork } from "@/lib/network";
import { requireOwnHost } from "@/lib/own-host";
import { errorAnswer } from "./answer";
import { isForProgram } from "./for-program";
import { BARE_POLICY, POLICY_HEADERS } from "./page-policy";
import { plainMarkup } from "./plain-markup";

/** The headings of the pages for people. */
export const BLOCKED_TITLE = "Your network is blocked";
export const MISDIRECTED_TITLE = "Wrong address";

/**
 * The refusal of a request from a blocked network, or for a host that is not this service's, undefined for all others:
 * for handlers without `server.ts` in front, which refuses such requests itself. People get a page. Monitors may use
 * any host.
 */
export async function blockedAnswer(
  headers: Headers,
  common: Record<string, string>,
  isOfMonitors = false,
): Promise<Response | undefined> {
  try {
    if (!isOfMonitors) requireOwnHost(headers);
    await refuseBlocked(clientNetwork(headers));
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (isForProgram(headers.get("accept") ?? undefined)) return errorAnswer(thrown, common);
    return new Response(plainMarkup(thrown.status === 421 ? MISDIRECTED_TITLE : BLOCKED_TITLE, thrown.message), {
      status: thrown.status,
      headers: {
        ...POLICY_HEADERS,
        ...common,
        "Content-Security-Policy": BARE_POLICY,
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-store",
      },
    });
  }
}
