import { createHash } from "node:crypto";
import type { JWT, JWTDecodeParams } from "next-auth/jwt";
import { derivedKeys } from "@/lib/platform/crypto/secrets";
import { sessionUser } from "./sessions";

/** Names a session. */
export const SESSION_COOKIE = "session-token";

/**
 * The name and the attributes of a cookie of this service at the address that people open (contract, section 5:
 * cookies). Browsers send a cookie to every port of a host, so the name says whose it is: two services there would
 * otherwise sign each other's users out. An address outlasts its secrets, and is the same for all processes.
 */
export function cookieAt(origin: string, name: string, path = "/") {
  const secure = origin.startsWith("https:");
  const prefix = secure ? (path === "/" ? "__Host-" : "__Secure-") : "";
  const originHash = createHash("sha256").update(origin).digest("hex").slice(0, 8);
  return {
    name: `${prefix}latchkey-${originHash}.${name}`,
    options: { httpOnly: true, sameSite: "lax", secure, path } as const,
  };
}

/** One for each secret of AUTH_SECRET; new cookies use the first. */
export function cookieSecrets(): string[] {
  return derivedKeys("cookies").map((key) => key.export().toString("base64url"));
}

// Loaded at the first cookie: the process that listens needs it for few requests.
const nextAuthTokens = () => import("next-auth/jwt");

/** The contents of a cookie created under any of the secrets. Throws if none fits. */
export async function decodeCookie(parameters: JWTDecodeParams): Promise<JWT | null> {
  const { decode } = await nextAuthTokens();
  let refused: unknown;
  for (const secret of cookieSecrets()) {
    try {
      return await decode({ ...parameters, secret });
    } catch (error) {
      refused ??= error;
    }
  }
  throw refused;
}

/**
 * What the session cookie of a request says; null if there is none, or one that is not ours or too old. `origin`: the
 * address that people open.
 */
export async function readSessionCookie(cookies: string | null | undefined, origin: string): Promise<JWT | null> {
  const token = tokenIn(cookies ?? "", cookieAt(origin, SESSION_COOKIE).name);
  if (token === "") return null;
  // That nothing can be read at all is a fault; that this cookie cannot is not.
  await nextAuthTokens();
  return decodeCookie({ token, secret: "" }).catch(() => null);
}

/** Whether the cookies of a request name an open session. Takes one look-up, and none for cookies that are not ours. */
export async function hasOpenSession(cookies: string | undefined, origin: string): Promise<boolean> {
  const sessionId = (await readSessionCookie(cookies, origin))?.sessionId;
  return typeof sessionId === "string" && (await sessionUser(sessionId)) !== null;
}

/** The cookie of this name, or its parts, which NextAuth numbers. */
function tokenIn(cookies: string, name: string): string {
  const parts: [part: number, value: string][] = [];
  for (const cookie of cookies.split(";")) {
    const [cookieName = "", value = ""] = cookie.trim().split("=", 2);
    if (cookieName === name) parts.push([0, value]);
    else if (cookieName.startsWith(`${name}.`)) parts.push([Number(cookieName.slice(name.length + 1)), value]);
  }
  return parts
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join("");
}
