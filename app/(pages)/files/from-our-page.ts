import type { SignedIn } from "@/lib/accounts/current-user";
import { refusalOf } from "@/lib/api/refusal";
import { foreignOrigin } from "@/lib/platform/errors";
import { refuseBlocked } from "@/lib/platform/network/blocked";
import { requireOwnHost } from "@/lib/platform/network/host";
import { clientNetwork, isBehindServer } from "@/lib/platform/network/network";
import { isFromElsewhere, requireOurOrigin } from "../our-origin";
import { actor } from "../outcome";

/** These responses are not pages: they do not get the policy from proxy.ts. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** One request from the page: the signed-in user, its query, and the request itself. */
interface PageCall<Params> {
  user: SignedIn;
  query: URLSearchParams;
  params: Params;
  request: Request;
}

type PageHandler<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/**
 * A handler for requests of the files page with the session's cookie. Changes must come from a script of our own origin
 * (CSRF): browsers send the origin of every such request, and a script elsewhere cannot fake it. Returns the result of
 * `work`, a refusal as `{ error, code }` with its details, or 401 `signed_out` if nobody is signed in.
 */
export function fromOurPage<Params = Record<string, never>>(
  work: (asked: PageCall<Params>) => Promise<unknown>,
): PageHandler<Params> {
  return async (request, { params }) => {
    try {
      if (!isBehindServer()) {
        requireOwnHost(request.headers);
        await refuseBlocked(clientNetwork(request.headers));
      }
      if (request.method !== "GET") requireOurOrigin(request.headers);
      // A page elsewhere could also put load on the service.
      if (isFromElsewhere(request.headers)) throw foreignOrigin();
      const user = await actor();
      const answer = await work({ user, query: new URL(request.url).searchParams, params: await params, request });
      return answer instanceof Response ? withHeaders(answer) : withHeaders(Response.json(answer ?? {}));
    } catch (thrown) {
      const { status, message, code, headers, details } = refusalOf(thrown, "a request of the files page failed");
      return withHeaders(Response.json({ ...details, error: message, code }, { status, headers }));
    }
  };
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS))
    if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
