import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { z } from "zod";
import { destinationIn, withNext } from "@/app/(pages)/next-path";
import { ownCookie } from "@/lib/accounts/session/cookies";
import { requireSessions } from "@/lib/accounts/session/sessions";
import { connectIntent } from "@/lib/accounts/ways-in/connect";
import { authOptions, DESTINATION_COOKIE, STATE_COOKIE } from "@/lib/accounts/ways-in/next-auth";
import { configuredProviders } from "@/lib/accounts/ways-in/providers";
import { refusalOf } from "@/lib/api/refusal";
import { refusedUnderNext } from "@/lib/api/under-next";
import { bodyWithin } from "@/lib/platform/http/limits";
import { errorResponse } from "@/lib/platform/http/response";
import { originOf } from "@/lib/platform/network/host";
import { clientSignal, forRequest } from "@/lib/platform/request";

/** An authenticator's response, as in the gate; NextAuth itself would read bodies of any length. */
const MAX_BODY = 16_384;

async function handler(incoming: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  const refused = await refusedUnderNext(incoming, { route: incoming.nextUrl.pathname, isOfPages: true });
  if (refused) return refused;
  // A browser's error report, which would let anybody write to our log.
  if (incoming.method === "POST" && incoming.nextUrl.pathname.endsWith("/_log"))
    return new Response(null, { status: 204 });
  const request = incoming.method === "POST" ? await received(incoming) : incoming;
  if (request instanceof Response) return request;
  const { nextauth } = await context.params;
  const away = request.method === "POST" && nextauth[0] === "signout" ? await refusalIfAway() : undefined;
  if (away) return away;
  const failed = request.method === "GET" ? await failure(request, nextauth) : undefined;
  if (failed !== undefined) return backToSignIn(request, failed);
  if (!(await isReadable(request))) {
    // Otherwise this browser would never get on.
    (await ownCookie(DESTINATION_COOKIE)).remove();
    return new Response("This request can't be read. Open the page again.\n", { status: 400 });
  }
  if (request.method === "GET" && WITH_FORMS.test(request.nextUrl.pathname))
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  const options = authOptions(originOf(request), connectIntent);
  const respond = () => NextAuth(request, context, options);
  // Behind server.ts, a disconnect of the client is noticed already.
  return clientSignal() ? respond() : forRequest({ signal: request.signal }, respond);
}

/** The request with its whole body, or its refusal. */
async function received(request: NextRequest): Promise<NextRequest | Response> {
  try {
    const { url, headers, method, signal } = request;
    return new NextRequest(url, { headers, method, signal, body: await bodyWithin(request, MAX_BODY) });
  } catch (thrown) {
    return errorResponse(refusalOf(thrown, "a form could not be read"), {});
  }
}

/** NextAuth would remove the cookie although the session cannot be ended, and whoever has a copy would go on. */
const refusalIfAway = () =>
  requireSessions().then(
    () => undefined,
    (thrown) => errorResponse(refusalOf(thrown, "signing out failed"), {}),
  );

/** Where our forms are sent. NextAuth responds to anything else with a 500. */
const WITH_FORMS = /^\/api\/auth\/callback\/(?:credentials|passkey)(?:\/|$)/;

/** Whether NextAuth can read the request: at what it cannot, it throws, or reports that it is misconfigured. */
async function isReadable(request: NextRequest): Promise<boolean> {
  const form = request.method === "POST" ? await formIn(request) : {};
  const targets = [
    request.nextUrl.searchParams.get("callbackUrl"),
    (await ownCookie(DESTINATION_COOKIE)).value,
    form?.callbackUrl,
  ];
  return form !== undefined && targets.every((target) => !target || isAddress(target));
}

/** The fields of the body, in either form; undefined if it is neither, or a field that NextAuth reads is no text. */
async function formIn(request: NextRequest): Promise<{ callbackUrl?: string } | undefined> {
  const body = await request.clone().text();
  const isJson = request.headers.get("content-type")?.includes("application/json");
  if (!isJson) return Object.fromEntries(new URLSearchParams(body));
  try {
    return jsonForm.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

const jsonForm = z.object({ callbackUrl: z.string().optional(), csrfToken: z.string().optional() });

function isAddress(target: string): boolean {
  return target.startsWith("/") ? URL.canParse(target, "http://a") : /^https?:/i.test(target) && URL.canParse(target);
}

/**
 * What went wrong, for the page to sign in, if this address says that a sign-in failed; empty if it does not say what.
 * A provider's own codes (RFC 6749, section 4.1.2.1) are read here: NextAuth has one for all of them.
 */
async function failure({ nextUrl }: NextRequest, [action, id]: string[]): Promise<string | undefined> {
  const error = nextUrl.searchParams.get("error");
  if (action === "error") return error ?? "";
  if (action === "signin") return nextUrl.searchParams.has("csrf") ? "cookies" : (error ?? "");
  if (action !== "callback" || !configuredProviders().some((provider) => provider.id === id)) return undefined;
  if (error !== null) return error;
  return (await ownCookie(STATE_COOKIE)).value === undefined ? "expired" : undefined;
}

/** The page to sign in, which still knows where the visitor was going (contract, section 5: sign-in). */
async function backToSignIn(request: NextRequest, failed: string): Promise<Response> {
  const target = destinationIn((await ownCookie(DESTINATION_COOKIE)).value);
  return Response.redirect(`${originOf(request)}${withNext("/signin", target, failed)}`);
}

export { handler as GET, handler as POST };
