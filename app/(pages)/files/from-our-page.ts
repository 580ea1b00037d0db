import { currentUser, type SignedIn } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { refusalOf } from "@/lib/http/refusal";
import { isFromElsewhere, requireOurOrigin } from "../our-origin";

/** These answers are no pages: the policy that proxy.ts gives those is not around them. */
const HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** One request of the page's: who is signed in, its query, and the request itself. */
interface Asked<Params> {
  user: SignedIn;
  query: URLSearchParams;
  params: Params;
  request: Request;
}

type Handler<Params> = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/**
 * A handler for requests that the files page makes with the session's cookie. What changes something must come from a script of
 * our own origin: browsers name the origin of every such request, and a script elsewhere cannot take ours. Answers what `work`
 * does, a refusal as `{ error, code }`, 401 `signed_out` where nobody is signed in.
 */
export function fromOurPage<Params = Record<string, never>>(work: (asked: Asked<Params>) => Promise<unknown>): Handler<Params> {
  return async (request, { params }) => {
    try {
      if (request.method !== "GET") requireOurOrigin(request.headers);
      // A page elsewhere could also make the service work for nothing.
      if (isFromElsewhere(request.headers)) throw new ApiError(403, "foreign_origin", "This can only be asked for by our own pages.");
      const user = await currentUser();
      if (!user) throw new ApiError(401, "signed_out", "You are signed out. Sign in again to go on.");
      const answer = await work({ user, query: new URL(request.url).searchParams, params: await params, request });
      return answer instanceof Response ? withHeaders(answer) : withHeaders(Response.json(answer ?? {}));
    } catch (thrown) {
      const { status, message, code, headers } = refusalOf(thrown, "a request of the files page failed");
      return withHeaders(Response.json({ error: message, code }, { status, headers }));
    }
  };
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) if (!response.headers.has(name)) response.headers.set(name, value);
  return response;
}
