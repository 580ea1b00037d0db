import type { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { connectIntent } from "@/lib/auth/connect";
import { authOptions } from "@/lib/auth/options";
import { originOf } from "@/lib/origin";

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
  return NextAuth(request, context, authOptions(originOf(request).startsWith("https:"), connectIntent));
}

export { handler as GET, handler as POST };
