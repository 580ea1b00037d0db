import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { nextPath, withNext } from "@/app/(pages)/next-path";
import { isCall, isConsoleForProgram, isForProgram, refusalAnswer } from "./lib/api/refusal";
import { env } from "./lib/platform/env";
import { ApiError, actionNotFound, formWithoutScript, methodNotAllowed } from "./lib/platform/errors";
import { checkPageRequest } from "./lib/platform/http/limits";
import { HIDDEN_CONSOLE, ignoresQuery, isConsole, isPage, meantLink } from "./lib/platform/http/pages";
import { BARE_POLICY, POLICY_HEADERS, STRICT_TRANSPORT } from "./lib/platform/http/plain-page";
import { asResponse } from "./lib/platform/http/response";
import { originOf } from "./lib/platform/network/host";
import { isBehindServer } from "./lib/platform/network/network";

/** Refuses requests that no page takes. Gives every page its security headers, and its scripts and styles a nonce. */
export async function proxy(request: NextRequest) {
  const refused = (isBehindServer() ? undefined : await refusalUnderNext(request)) ?? refusal(request);
  if (refused) return withPolicy(request, refused, BARE_POLICY);
  const meant = isForProgram(request.headers.get("accept")) ? undefined : meantLink(request.nextUrl.pathname);
  if (meant) return withPolicy(request, NextResponse.redirect(new URL(meant, request.url)), BARE_POLICY);
  // Next's router asks with a parameter of its own.
  const { pathname, search } = request.nextUrl;
  if (search !== "" && ignoresQuery(pathname) && request.method !== "POST" && !request.headers.has("rsc"))
    return withPolicy(request, NextResponse.redirect(new URL(pathname, request.url)), BARE_POLICY);
  const viewer = await consoleViewer(request);
  if (viewer === "nobody") return withPolicy(request, toSignIn(request), BARE_POLICY);
  const nonce = randomBytes(16).toString("base64");
  const policy = contentSecurityPolicy(nonce);

  // Next reads the nonce from the request's policy, the layout from x-nonce.
  const headers = new Headers(request.headers);
  headers.set("Content-Security-Policy", policy);
  headers.set("x-nonce", nonce);
  if (viewer === "other") headers.set(HIDDEN_CONSOLE, "1");
  // Plain Next asks itself for that page, through here. Who forges the header there is told so about themselves.
  else if (request.nextUrl.pathname !== NOWHERE) headers.delete(HIDDEN_CONSOLE);

  const next = { request: { headers } };
  const response =
    viewer === "other" ? NextResponse.rewrite(new URL(NOWHERE, request.url), next) : NextResponse.next(next);
  return withPolicy(request, response, policy);
}

/** An address that has no page. */
const NOWHERE = "/nothing-here";

/** To the page to sign in, and then back to this one. */
function toSignIn(request: NextRequest): Response {
  const { pathname, search } = request.nextUrl;
  return NextResponse.redirect(`${originOf(request)}${withNext("/signin", nextPath(pathname + search, "/admin"))}`);
}

/**
 * Who asks for a page of the console for whom it does not exist: nobody, or another user or a program. Undefined if it
 * does. The page itself could only say so to a script: Next sends an empty page if one finds out that it is not there.
 * Actions refuse and record by themselves.
 */
async function consoleViewer({ nextUrl: { pathname }, headers }: NextRequest): Promise<"nobody" | "other" | undefined> {
  if (!isConsole(pathname) || headers.has("next-action")) return undefined;
  // Loaded at the first such request: no other page needs a database for this.
  const [{ currentUser }, { isConsoleThere }] = await Promise.all([
    import("./lib/accounts/session/current-user"),
    import("./lib/operator/access"),
  ]);
  try {
    const user = await currentUser();
    if (!user) return isConsoleForProgram(pathname, (name) => headers.get(name)) ? "other" : "nobody";
    return (await isConsoleThere(user, pathname)) ? undefined : "other";
  } catch {
    // The page shows that the database is unavailable.
    return undefined;
  }
}

/** Loaded only where server.ts does not refuse such requests: it brings the database. */
async function refusalUnderNext(request: NextRequest): Promise<Response | undefined> {
  const { refusedUnderNext } = await import("./lib/api/under-next");
  return refusedUnderNext(request, { route: request.nextUrl.pathname, isOfPages: true });
}

/**
 * The limits of server/gate.ts, for deployments without it. They apply after Next has read the request, so a front
 * proxy must limit its size too (docs/security.md).
 */
function refusal({ method, nextUrl, headers }: NextRequest): Response | undefined {
  const header = (name: string) => headers.get(name);
  try {
    checkPageRequest({ address: nextUrl.pathname + nextUrl.search, cookie: headers.get("cookie") });
    // What Next passes on to this service itself, because the page that was asked has no such action. server.ts refuses
    // the first request.
    if (headers.has("x-action-forwarded")) throw actionNotFound();
    // For unknown addresses, the fallback in next.config.mjs tells programs so, whatever the method.
    const isNothing =
      (!isPage(nextUrl.pathname) && isForProgram(header("accept"))) || isConsoleForProgram(nextUrl.pathname, header);
    if (isCall(method, header) || isNothing || METHODS.includes(method)) return;
    throw method === "POST" && isPage(nextUrl.pathname) ? formWithoutScript() : methodNotAllowed(METHODS.join(", "));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return asResponse(refusalAnswer(error, method, header));
  }
}

const METHODS = ["GET", "HEAD", "OPTIONS"];

function withPolicy(request: NextRequest, response: Response, policy: string): Response {
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(POLICY_HEADERS)) response.headers.set(name, value);
  // Only this page talks to the one that opened its window (app/(pages)/link/opened-window.tsx).
  const { pathname, searchParams } = request.nextUrl;
  if (/^\/link\/?$/.test(pathname) && searchParams.has("popup"))
    response.headers.set("Cross-Origin-Opener-Policy", "unsafe-none");
  if (originOf(request).startsWith("https:")) response.headers.set("Strict-Transport-Security", STRICT_TRANSPORT);
  return response;
}

function contentSecurityPolicy(nonce: string): string {
  const development = env.NODE_ENV === "development";
  return [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    // Next's development tools use inline styles without a nonce.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    // A progress bar has its length in a style attribute.
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
  // All but the API, the handlers of the files page and the client, which send their own headers, and the build's
  // assets. Next would also buffer a body for this, and pass on only its first 10 MB. (It also serves the page /link at
  // /link/.)
  // Written by `npm run codegen`, because Next reads it without running it.
  matcher: [
    "/((?!api/|keys/[^/]|link/[^/]|files/(?:archive|content|entries|export|folders|import|uploads)(?:/|$)|(?:\\.well-known|generate_validator|get_user|health|live|me|metrics|oauth|openapi\\.json|read-files|ready|v2|validate)(?:/|$)|_next/static/|(?:icon\\.svg|favicon\\.ico|client\\.mjs|client\\.d\\.mts)$).*)",
  ],
};
