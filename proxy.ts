import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { env } from "@/lib/env";
import { originOf } from "@/lib/origin";

const HEADERS = {
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
};

/** Gives every page its security headers, and its scripts and styles a nonce of their own. */
export function proxy(request: NextRequest) {
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);

  // Next takes the nonce from the request's policy, the layout from x-nonce. A layout is not told which page it is around.
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  headers.set("x-nonce", nonce);
  headers.set("x-path", request.nextUrl.pathname);

  const response = NextResponse.next({ request: { headers } });
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value);
  // A year: who came over HTTPS once is never sent over plain HTTP again.
  if (originOf(request).startsWith("https:")) response.headers.set("Strict-Transport-Security", "max-age=31536000");
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
    "/((?!api/|keys/[^/]|link/[^/]|files/(?:content|export|folders|import|uploads)(?:/|$)|(?:me|health|ready|metrics|read-files|openapi\\.json)(?:/|$)|_next/static/|(?:icon\\.svg|favicon\\.ico)$).*)",
  ],
};
