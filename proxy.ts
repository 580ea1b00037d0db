import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { errorAnswer } from "@/lib/http/answer";
import { isForProgram } from "@/lib/http/not-found";
import { checkPageRequest } from "@/lib/http/page-limits";
import { BARE_POLICY, POLICY_HEADERS, STRICT_TRANSPORT } from "@/lib/http/page-policy";
import { isPage } from "@/lib/http/pages";
import { originOf } from "@/lib/origin";

/** Refuses what no page takes, and gives every page its security headers, and its scripts and styles a nonce of their own. */
export function proxy(request: NextRequest) {
  const refused = refusal(request);
  if (refused) return withPolicy(request, refused, BARE_POLICY);
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);

  // Next takes the nonce from the request's policy, the layout from x-nonce. A layout is not told which page it is around.
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname);

  return withPolicy(request, NextResponse.next({ request: { headers } }), policy);
}

/** The limits of server/gate.ts, where that does not run: after Next has read the request, so a front proxy must bound it too (docs/gate.md). */
function refusal({ method, nextUrl, headers }: NextRequest): Response | undefined {
  try {
    checkPageRequest({ address: nextUrl.pathname + nextUrl.search, cookie: headers.get("cookie") });
    const isAction = method === "POST" && headers.has("next-action");
    // Of what nobody serves, a program is told that by the fallback in next.config.mjs, whatever the method.
    const isNothing = !isPage(nextUrl.pathname) && isForProgram(headers.get("accept") ?? undefined);
    if (!isAction && !isNothing && !METHODS.includes(method))
      throw new ApiError(405, "method_not_allowed", `This address answers ${METHODS.join(", ")} only.`, { Allow: METHODS.join(", ") });
  } catch (error) {
    if (error instanceof ApiError) return errorAnswer(error, {});
    throw error;
  }
}

const METHODS = ["GET", "HEAD", "OPTIONS"];

function withPolicy(request: NextRequest, response: Response, policy: string): Response {
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(POLICY_HEADERS)) response.headers.set(name, value);
  if (originOf(request).startsWith("https:")) response.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
  return response;
}

function contentSecurityPolicy(nonce: string): string {
  const development = env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // Next's development tools style themselves without a nonce.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // Mantine hands sizes and colours to its components in style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    `connect-src 'self'${development ? " ws:" : ""}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export const config = {
  // All but the API and what the files page asks, which send headers of their own, and what is built. Next would also keep a body in memory
  // for this, and hand on only its first 10 MB. (It serves the page /link at /link/ too.)
  matcher: [
    "/((?!api/|keys/[^/]|link/[^/]|files/(?:content|export|folders|import|uploads)(?:/|$)|(?:me|get_user|v2|health|ready|metrics|read-files|openapi\\.json)(?:/|$)|_next/static/|(?:icon\\.svg|favicon\\.ico)$).*)",
  ],
};
