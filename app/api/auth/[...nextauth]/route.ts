import type { NextRequest } from "next/server";
import NextAuth, { type Session } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { z } from "zod";
import { connectIntent } from "@/lib/auth/connect";
import { authOptions } from "@/lib/auth/options";
import { blockedAnswer } from "@/lib/http/blocked";
import { isBehindServer } from "@/lib/network";
import { originOf } from "@/lib/origin";
import { clientGone, forRequest } from "@/lib/request-user";

/** An authenticator's answer, as in the gate; NextAuth itself would read bodies of any length. */
const LONGEST_BODY = 16_384;
/** Where NextAuth goes on afterwards, in our cookies. */
const CALLBACK_COOKIES = ["next-auth.callback-url", "__Secure-next-auth.callback-url"];

async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  const refused = isBehindServer() ? undefined : await blockedAnswer(request.headers, {});
  if (refused) return refused;
  if (request.method === "POST") {
    // A browser's error report, which would let anybody write to our log.
    if (request.nextUrl.pathname.endsWith("/_log")) return new Response(null, { status: 204 });
    if (!(Number(request.headers.get("content-length") ?? Number.NaN) <= LONGEST_BODY))
      return new Response(null, { status: 413 });
  }
  if (!(await isReadable(request)))
    return new Response("This request can't be read. Open the page again.\n", {
      status: 400,
      // Otherwise this browser would never get on.
      headers: CALLBACK_COOKIES.map((name): [string, string] => ["Set-Cookie", `${name}=; Path=/; Max-Age=0`]),
    });
  if (request.method === "GET" && WITH_FORMS.includes(request.nextUrl.pathname))
    return new Response(null, { status: 405, headers: { Allow: "POST" } });
  // NextAuth's error page redirects to ours; without an error, it would report "undefined".
  if (request.nextUrl.pathname.endsWith("/error") && !request.nextUrl.searchParams.get("error"))
    return Response.redirect(`${originOf(request)}/signin`);
  const options = authOptions(originOf(request).startsWith("https:"), connectIntent);
  const answer = () =>
    NextAuth(request, context, { ...options, callbacks: { ...options.callbacks, session: toldToScripts } });
  // Behind server.ts, a disconnect of the client is known already.
  return clientGone() ? answer() : forRequest({ gone: request.signal }, answer);
}

/** Where our forms are sent. NextAuth answers anything else with a 500. */
const WITH_FORMS = ["credentials", "passkey"].map((provider) => `/api/auth/callback/${provider}`);

/** Whether NextAuth can read the request: at what it cannot, it throws, or reports that it is misconfigured. */
async function isReadable(request: NextRequest): Promise<boolean> {
  const form = request.method === "POST" ? await formIn(request) : {};
  const targets = [
    request.nextUrl.searchParams.get("callbackUrl"),
    ...CALLBACK_COOKIES.map((name) => request.cookies.get(name)?.value),
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

/** What /api/auth/session returns to the scripts of a page: the signed-in user, never the session's own id. */
function toldToScripts({ session, token }: { session: Session; token: JWT }): Session {
  return { expires: session.expires, user: token.user };
}

export { handler as GET, handler as POST };
