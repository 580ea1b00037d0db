import { currentUser, type SignedIn } from "@/lib/accounts/session/current-user";
import { requireOperator } from "@/lib/operator/access";
import { notFound } from "@/lib/platform/errors";
import { download, PRIVATE, requireOwnPage } from "../download";

/**
 * A handler for what a page of the console downloads or asks for with the session's cookie, for an administrator with a
 * recent proof. Everybody else gets 404, which is recorded under the name `what` if somebody is signed in. A page
 * elsewhere, which could put load on the service, gets 403. A refusal is a sentence.
 */
export function consoleRoute(
  what: string,
  work: (query: URLSearchParams, admin: SignedIn) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return download(what, async (request) => {
    const admin = await currentUser();
    if (!admin) throw notFound();
    await requireOperator(admin, what);
    requireOwnPage(request);
    const response = await work(new URL(request.url).searchParams, admin);
    for (const [name, value] of Object.entries(PRIVATE)) response.headers.set(name, value);
    return response;
  });
}
