import { currentUser, type SignedIn } from "@/lib/accounts/current-user";
import { refusalOf } from "@/lib/api/refusal";
import { requireOperator } from "@/lib/operator/access";
import { foreignOrigin, notFound, preconditionFailed } from "@/lib/platform/errors";
import { wouldAppend } from "@/lib/platform/http/headers";
import { errorResponse } from "@/lib/platform/http/response";
import type { SearchParams } from "../next-path";
import { actor, isFromElsewhere, type Outcome, outcome } from "../outcome";

/**
 * Runs an action of the console as `outcome` does, for an administrator with a recent proof. Everybody else gets 404
 * `not_found`, which is recorded under the name `what`.
 */
export function consoleAction<T>(
  what: string,
  work: (admin: SignedIn) => Promise<T>,
  onlyField?: string,
): Promise<Outcome<T>> {
  return outcome(async () => {
    const admin = await actor();
    await requireOperator(admin, what);
    return work(admin);
  }, onlyField);
}

const HEADERS = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };
const TEXT = { ...HEADERS, "Content-Type": "text/plain; charset=utf-8" };

/**
 * A handler for what a page of the console downloads or asks for with the session's cookie, for an administrator with a
 * recent proof. Everybody else gets 404, which is recorded under the name `what` if somebody is signed in. A page
 * elsewhere, which could put load on the service, gets 403. A refusal is a sentence.
 */
export function consoleRoute(
  what: string,
  work: (query: URLSearchParams, admin: SignedIn) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const admin = await currentUser();
      if (!admin) throw notFound();
      await requireOperator(admin, what);
      if (isFromElsewhere(request.headers)) throw foreignOrigin();
      if (wouldAppend(request.headers)) throw preconditionFailed();
      const response = await work(new URL(request.url).searchParams, admin);
      for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
      return response;
    } catch (thrown) {
      const { status, message, code } = refusalOf(thrown, `${what} failed`);
      // As programs get it for every address where there is nothing.
      if (code === "not_found") return errorResponse(notFound(), {});
      return new Response(`${message}\n`, { status, headers: TEXT });
    }
  };
}

/** The parameters of an address that HTML can hold, each sent once: repeated ones are left out. */
export async function pageParameters(searchParams: SearchParams): Promise<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(await searchParams).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/[\0\r]/g, "").toWellFormed()]] : [],
    ),
  );
}
