import type { NextRequest } from "next/server";
import NextAuth, { type Session } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { connectIntent } from "@/lib/auth/connect";
import { authOptions } from "@/lib/auth/options";
import { blockedAnswer } from "@/lib/http/blocked";
import { isBehindServer } from "@/lib/network";
import { originOf } from "@/lib/origin";
import { clientGone, forRequest } from "@/lib/request-user";

/** More than any form of NextAuth needs; NextAuth itself would read bodies of any length. */
const LONGEST_BODY = 32_768;

async function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  const refused = isBehindServer() ? undefined : await blockedAnswer(request.headers, {});
  if (refused) return refused;
  if (request.method === "POST") {
    // A browser's error report, which would let anybody write to our log.
    if (request.nextUrl.pathname.endsWith("/_log")) return new Response(null, { status: 204 });
    if (!(Number(request.headers.get("content-length") ?? Number.NaN) <= LONGEST_BODY))
      return new Response(null, { status: 413 });
  }
  // NextAuth's error page redirects to ours; without an error, it would report "undefined".
  if (request.nextUrl.pathname.endsWith("/error") && !request.nextUrl.searchParams.get("error"))
    return Response.redirect(`${originOf(request)}/signin`);
  const options = authOptions(originOf(request).startsWith("https:"), connectIntent);
  const answer = () =>
    NextAuth(request, context, { ...options, callbacks: { ...options.callbacks, session: toldToScripts } });
  // Behind server.ts, a disconnect of the client is known already.
  return clientGone() ? answer() : forRequest({ gone: request.signal }, answer);
}

/** What /api/auth/session returns to the scripts of a page: the signed-in user, never the session's own id. */
function toldToScripts({ session, token }: { session: Session; token: JWT }): Session {
  return { expires: session.expires, user: token.user };
}

export { handler as GET, handler as POST };
