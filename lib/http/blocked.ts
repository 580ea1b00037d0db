import { refuseBlocked } from "@/lib/blocked-networks/known";
import { networkBlocked } from "@/lib/blocked-networks/refusal";
import { ApiError } from "@/lib/errors";
import { clientNetwork } from "@/lib/network";
import { errorAnswer } from "./answer";
import { isForProgram } from "./for-program";
import { BARE_POLICY, POLICY_HEADERS } from "./page-policy";
import { plainMarkup } from "./plain-markup";

/** The heading of the page for people. */
export const BLOCKED_TITLE = "Your network is blocked";

/**
 * The refusal of a request from a blocked network, undefined for all others: for handlers without `server.ts` in front,
 * which refuses such requests itself. People get a page.
 */
export async function blockedAnswer(headers: Headers, common: Record<string, string>): Promise<Response | undefined> {
  try {
    await refuseBlocked(clientNetwork(headers));
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    if (isForProgram(headers.get("accept") ?? undefined)) return errorAnswer(thrown, common);
    return new Response(plainMarkup(BLOCKED_TITLE, networkBlocked().message), {
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
