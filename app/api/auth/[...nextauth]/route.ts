import type { NextRequest } from "next/server";
import NextAuth, { type Session } from "next-auth";
import type { JWT } from "next-auth/jwt";
import { connectIntent } from "@/lib/auth/connect";
import { authOptions } from "@/lib/auth/options";
import { originOf } from "@/lib/origin";
import { clientGone, forRequest } from "@/lib/request-user";

/** More than any form of NextAuth has; it would read bodies of any length whole. */
const LONGEST_BODY = 32_768;

function handler(request: NextRequest, context: { params: Promise<{ nextauth: string[] }> }) {
  if (request.method === "POST") {
    // A browser's report of an error, which anybody could write into our log.
    if (request.nextUrl.pathname.endsWith("/_log")) return new Response(null, { status: 204 });
    if (!(Number(request.headers.get("content-length") ?? Number.NaN) <= LONGEST_BODY)) return new Response(null, { status: 413 });
  }
  // NextAuth's page of errors sends people on to ours; with no error to tell, it would tell of "undefined".
  if (request.nextUrl.pathname.endsWith("/error") && !request.nextUrl.searchParams.get("error")) return Response.redirect(`${originOf(request)}/signin`);
  const options = authOptions(originOf(request).startsWith("https:"), connectIntent);
  const answer = () => NextAuth(request, context, { ...options, callbacks: { ...options.callbacks, session: toldToScripts } });
  // Behind server.ts it is known already when the client goes.
  return clientGone() ? answer() : forRequest({ gone: request.signal }, answer);
}

/** What /api/auth/session tells the scripts of a page: who is signed in, never the session's own id. */
function toldToScripts({ session, token }: { session: Session; token: JWT }): Session {
  return { expires: session.expires, user: token.user };
}

export { handler as GET, handler as POST };
